#include "rigidlimit/solvers/rosenbrock/rosenbrock_coefficients.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

#include "rigidlimit/core/dense.hpp"

namespace rigidlimit {

namespace {

using Entries = std::initializer_list<double>;

VectorXd vector_of(Entries entries) {
  VectorXd v(static_cast<Index>(entries.size()));
  Index i = 0;
  for (const double entry : entries) v(i++) = entry;
  return v;
}

/// s × s; omitted entries are zero.
MatrixXd triangle(Index s, std::initializer_list<Entries> rows) {
  MatrixXd M = MatrixXd::Zero(s, s);
  Index i = 0;
  for (const Entries& row : rows) {
    Index j = 0;
    for (const double entry : row) M(i, j++) = entry;
    ++i;
  }
  return M;
}

MatrixXd rows_of(std::initializer_list<Entries> rows) {
  MatrixXd M(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const Entries& row : rows) M.row(i++) = vector_of(row).transpose();
  return M;
}

/// From γ, a, c, m, m_error to k.
void complete_in_k(RosenbrockTableau& t) {
  const Index s = t.m.size();
  t.Gamma = inverse_of(MatrixXd::Identity(s, s) / t.gamma - t.c);
  t.alpha = t.a * t.Gamma;
  t.b = t.Gamma.transpose() * t.m;
  t.b_embedded = t.Gamma.transpose() * (t.m - t.m_error);
}

/// From γ, alpha, Gamma, b, b_embedded to u.
void complete_in_u(RosenbrockTableau& t) {
  const Index s = t.b.size();
  const MatrixXd inverse = inverse_of(t.Gamma);
  t.a = t.alpha * inverse;
  t.c = MatrixXd::Identity(s, s) / t.gamma - inverse;
  t.m = inverse.transpose() * t.b;
  t.m_error = t.m - inverse.transpose() * t.b_embedded;
}

/// Four stages: b(θ) = Σ_p θ^p C_p from the four conditions of order 3,
/// V b(θ) = (θ, θ²/2, θ³/3, θ³/6) with the rows 1, β, α², (α + Γ)β of V.
MatrixXd extension_of_order_3(const RosenbrockTableau& t) {
  const MatrixXd B = t.alpha + t.Gamma;
  const VectorXd beta = B.rowwise().sum();
  Eigen::Matrix4d V;
  V.row(0).setOnes();
  V.row(1) = beta.transpose();
  V.row(2) = t.alpha.rowwise().sum().array().square().transpose();
  V.row(3) = (B * beta).transpose();
  Eigen::Matrix<double, 4, 2> powers;  // of θ², θ³
  powers << 0.0, 0.0, 0.5, 0.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 6.0;
  // In u; then C₁ = m + H₀, C₂ = −H₀ + H₁, C₃ = −H₁ for the rows H of `between`.
  const MatrixXd C = inverse_of(t.Gamma).transpose() * V.inverse() * powers;
  MatrixXd between(2, 4);
  between.row(1) = -C.col(1).transpose();
  between.row(0) = between.row(1) - C.col(0).transpose();
  return between;
}

/// Published with 16 digits: allows a rounding of each term, and of the inverse of Γ.
constexpr double published = 1e-13;

RosenbrockTableau checked(RosenbrockTableau tableau) {
  check_rosenbrock_tableau(tableau, published);
  return tableau;
}

/// The argument of the step's last stage is the embedded solution: m is its row of a and 1, the
/// error is u of that stage.
void embed_in_last_stage(RosenbrockTableau& t) {
  const Index s = t.a.rows(), last = (t.step_stages > 0 ? t.step_stages : s) - 1;
  t.step_stages = last + 1;
  t.m = t.a.row(last).transpose();
  t.m(last) = 1.0;
  t.m_error = VectorXd::Unit(s, last);
  complete_in_k(t);
}

RosenbrockTableau make_rodas4() {
  RosenbrockTableau t{.name = "rodas4",
                      .order = 4,
                      .embedded_order = 3,
                      .continuous_order = 4,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.25};
  t.a = triangle(
      6, {{},
          {1.544},
          {0.9466785280815826, 0.2557011698983284},
          {3.314825187068521, 2.896124015972201, 0.9986419139977817},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
          {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0}});
  t.c = triangle(6, {{},
                     {-5.6688},
                     {-2.430093356833875, -0.2063599157091915},
                     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
                     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
                     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
                      -6.058818238834054}});
  t.alpha_sum = vector_of({0.0, 0.386, 0.21, 0.63, 1.0, 1.0});
  t.gamma_sum = vector_of({0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0});
  t.between = rows_of({{10.12623508344586, -7.487995877610167, -34.80091861555747,
                        -7.992771707568823, 1.025137723295662, 0.0},
                       {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                        24.76722511418386, -6.594389125716872, 0.0}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_rodasp() {
  RosenbrockTableau t{.name = "rodasp",
                      .order = 4,
                      .embedded_order = 3,
                      .continuous_order = 4,
                      .prothero_robinson_order = 3,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.25};
  t.a = triangle(
      6, {{},
          {3.0},
          {1.831036793486759, 0.4955183967433795},
          {2.304376582692669, -0.05249275245743001, -1.176798761832782},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401},
          {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 1.0}});
  t.c = triangle(6, {{},
                     {-12.0},
                     {-8.791795173947035, -2.207865586973518},
                     {10.81793056857153, 6.780270611428266, 19.53485944642410},
                     {34.19095006749676, 15.49671153725963, 54.74760875964130, 14.16005392148534},
                     {34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095,
                      -5.714285714285717}});
  t.alpha_sum = vector_of({0.0, 0.75, 0.21, 0.63, 1.0, 1.0});
  t.gamma_sum = vector_of({0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0});
  t.between = rows_of(
      {{25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133, 0.0, 0.0},
       {1.638054557396973, -0.7373619806678748, 8.477918219238990, 15.99253148779520,
        -1.882352941176471, 0.0}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_rodas5p() {
  RosenbrockTableau t{.name = "rodas5p",
                      .order = 5,
                      .embedded_order = 4,
                      .continuous_order = 5,
                      .prothero_robinson_order = 3,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = 0.21193756319429014};
  t.a = triangle(
      8, {{},
          {3.0},
          {2.849394379747939, 0.45842242204463923},
          {-6.954028509809101, 2.489845061869568, -10.358996098473584},
          {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
          {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
           0.030198172008377946}});
  for (const Index i : {6, 7}) t.a.row(i).head(5) = t.a.row(5).head(5);
  t.a(6, 5) = t.a(7, 5) = t.a(7, 6) = 1.0;
  t.c =
      triangle(8, {{},
                   {-14.155112264123755},
                   {-17.97296035885952, -2.859693295451294},
                   {147.12150275711716, -1.41221402718213, 71.68940251302358},
                   {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
                   {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
                    -0.6610691825249471},
                   {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
                    -19.097331116725623, -28.087943162872662},
                   {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
                    -40.06618937091002, -54.66780262877968, -9.48861652309627}});
  t.alpha_sum = vector_of({0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716,
                           0.4288403609558664, 1.0, 1.0, 1.0});
  t.gamma_sum = vector_of({0.21193756319429014, -0.42387512638858027, -0.3384627126235924,
                           1.8046452872882734, 2.325825639765069, 0.0, 0.0, 0.0});
  t.between =
      rows_of({{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
                0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
               {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
                20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
               {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
                -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_rodas6p() {
  RosenbrockTableau t{.name = "rodas6p",
                      .order = 6,
                      .embedded_order = 5,
                      .continuous_order = 6,
                      .prothero_robinson_order = 4,
                      .prothero_robinson_residual = 3e-6,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .step_stages = 16,
                      .gamma = 0.26};
  t.a = triangle(
      19, {{},
           {1.7111784962693573},
           {3.338661438538325, 1.7785154948506772},
           {2.936071270275081, 0.9182685464146361, 0.3700626437020361},
           {4.659498341685848, 1.750740798902701, 0.5870646872926452, 0.8880273208834594},
           {4.0197306615530755, 2.839611966871549, -0.5985886977898102, 0.08804800108767567,
            1.5622259206803966},
           {1.988416726724047, -0.379547946940864, 0.9004347186464728, 1.4277449221484224,
            -0.7433508015345144, -0.042432590368607255},
           {1.8376133238441654, 1.9114959548124457, -0.6715227349230231, 0.2358079620635186,
            3.6095202089874117, 0.8151701113738031, 0.9206065341545108},
           {-0.766306772356088, 3.209956697664864, -3.3123779344961592, -3.0203200762095332,
            4.800864725315542, 1.1604579105760842, 0.4424812765132964, 0.3706918590956091},
           {6.232416226700401, 2.6089061288608786, -0.6004565639275875, -3.3845987889094653,
            0.42397260663019737, 0.35421155529651493, 0.30716464971632756, 1.5008969261275715,
            0.5102657561692372},
           {0.023392109748070492, 1.4081998520657641, -0.7199787823918794, 0.7361286083371824,
            2.4632772861278043, 0.46923886035475726, 0.1205787235019629, -0.8578747086506138,
            -0.2588726092696778, -0.4397748045492015},
           {2.953951852943472, -0.5094757863221286, 0.3109577019600045, -3.5298051247141733,
            -3.545755924579993, -0.33681829638738314, -0.5663219967973026, 1.1332773651373889,
            0.15030559921640937, 0.25755454716019555, 0.29836356640198125},
           {3.613614004197333, 0.6635854700997046, 0.021719370087612728, -1.4950066071478674,
            0.7257768429136315, -0.05542296424699332, 0.6617050893162496, 1.5916006835996634,
            0.004468857383033254, 0.3492741589610665, -0.20270398239783438, 0.6407744206145284},
           {0.6650675322630164, 3.8649437891996143, -3.5568168140908862, 0.30445082364848014,
            6.687033712252074, 1.7577448564663951, 0.7252352806302017, 0.8340620415656512,
            0.288756122559755, -0.014344518613253377, -0.9202387269679146, 0.1235675186947092,
            0.5210532009614854},
           {},
           {},
           {19.50552823691581, 19.347153108620457, 8.914549824296701, 19.841538938728135,
            -30.357562810836335, -5.8051482228142195, -20.70248562796752, -21.376641384544037,
            -8.3987892732033, -7.736419267379574, 2.0685219772918724, -8.760228330317224,
            5.418493374208782, 1.6147496952752922, -2.4936078709750045, -2.2780749437287913},
           {56.666079713903386, 5.165818087889462, 22.35860178936739, 10.763846891315566,
            -12.19955923582867, -0.6557677952689249, 6.699011373303813, 8.198746354754231,
            1.677616608414471, 3.1277285768268968, 1.4179582645760416, -2.2744851263878836,
            -1.7540829181840385, -2.0011264405011304, -2.473136836317977, -1.8837562152980634,
            0.10307912091592847},
           {0.4516803503254423, -1.1534041395134922, -4.845280220499032, -23.586737710513358,
            1.6878417137075876, 0.7868554635343545, 3.0270371561482805, 6.0990245036017745,
            2.600755391135945, 1.3246029905944345, 2.0716827798306645, 1.0885240892776982,
            -2.406764303616696, -1.0934035335348031, -0.08817028752603433, 0.1628623060793163,
            -0.0494871328758008, -0.053891050773493175}});
  for (const Index i : {14, 15}) t.a.row(i).head(13) = t.a.row(13).head(13);
  t.a(14, 13) = t.a(15, 13) = t.a(15, 14) = 1.0;
  t.c = triangle(
      19, {{},
           {-6.581455754882143},
           {-17.99898897860265, -8.573983492685619},
           {-9.381383431453385, -3.147640353879416, -1.3459246069197102},
           {-2.6265331637613007, -4.114341661049238, 2.3552716210903446, 0.7916860595752533},
           {13.234071865054425, -6.5531726714288245, 10.73126008968739, 7.881893740344428,
            -12.771533510641573},
           {2.830906994202388, 0.2604988641272497, 1.2537810312593667, -3.3671244579321455,
            -10.786563365589606, -1.9308385166591397},
           {-11.060311196714387, -1.3456656966931244, -0.7657970115506183, 6.107723730659436,
            2.2037867523584938, -0.07238767937020778, -0.8050462039096485},
           {-18.12844382677043, -8.753725825758918, 2.21059342699439, 11.608007179779365,
            -0.05812583279366939, -0.5568300956262869, 0.22469855334210373, -3.2370311176417705},
           {-27.976343920035056, -8.591555353546772, 0.7281452536154736, 17.638493457476986,
            -5.306189757628467, -3.0476569146401444, -5.904770682441327, -11.929084037829442,
            -5.050568446376497},
           {16.354749252471326, 1.4669223994142209, 5.928484441955681, 10.74513480723443,
            10.673355125609953, 3.688805562318594, 9.180717730517506, 10.247712646451996,
            1.465303310058304, 2.6508985881732774},
           {6.914935441832399, 5.38984958631352, 5.862037438875566, 5.348681436005972,
            -7.013382408252529, -1.0246660674824237, -2.9837100715597376, -5.836566084094612,
            -1.6109549842142277, -1.1760399923017764, 1.9280128334739643},
           {4.198711896534994, 0.6181084056782703, 0.8167077246607498, -11.236495255410707,
            -4.824409089261172, 0.7728367826492113, 1.3033341851336357, 3.1220057171705977,
            1.917167519177393, 0.740911936448596, 2.3884839541537675, -1.0646261824518854},
           {8.439457273665866, -12.395217711948733, 8.717809686910918, -22.620864451522902,
            -20.113605406532766, -4.689776805197894, 1.6982447341017708, 4.543406791431926,
            1.613366829028557, 1.9707273458768597, 5.732578765805261, 1.7624664316708778,
            -5.245856774591262},
           {1.71450490512272, -13.840042084553074, 6.437347401872298, -39.22048912909508,
            -25.603335547270504, -8.064795628637777, -0.0416146802576695, 1.2346482358729156,
            2.7009872115209252, 0.896525973043981, 11.303609670096813, 1.7547024586563815,
            -10.02276713006834, -6.93945857648056},
           {19.61213176916848, -14.311603723508286, 12.96694128305561, -28.107332490598257,
            -27.192311861144052, -4.26577843330566, 4.2210733410202135, 10.487402162301366,
            0.8300940888935481, 2.8025411207314455, 8.878715452726594, 1.4612348690788786,
            -9.853595041510669, -7.6808377648250294, -6.870056791600298},
           {-371.4374434114548, -183.45541467767708, -245.2624549214238, -955.0201586246473,
            19.423673137681643, -0.9607917923114558, 84.24290713671253, 150.79467360315542,
            63.95986343894305, 44.75849836276605, 140.71019894715903, 48.45923399488863,
            -146.47504553991118, -81.54609927566207, -25.07839993898753, 3.829875020371404},
           {-164.17333724090065, -123.20834760012879, 41.95443520088893, -239.77049586199965,
            -114.21790985713952, -12.341946126859007, 15.750890701780254, 39.790586318490696,
            -15.10728752295998, -12.824535901748304, 16.73312629333741, -11.045750202895642,
            -14.639022723428816, -4.819493713790297, 0.12987727446051117, 0.04274137296376776,
            1.204312390836273},
           {461.9368267656361, 52.53840694165619, 144.8183760448168, 455.9093893534564,
            35.81740627464267, 40.776479432911195, 17.76376684531324, -7.606209560029927,
            -15.381956921574087, 3.9317973949968428, -41.37771137941743, -44.920577584346,
            53.37495929469229, 10.211466474320808, -15.84128439059478, -19.507483543094224,
            1.884309895179932, 5.745356704710484}});
  t.alpha_sum =
      vector_of({0.0, 0.4449064090300329, 0.5391930604628539, 0.3920739557917205,
                 0.5393851240464334, 0.7496615946466092, 0.09171052879621677, 0.716762001806476,
                 0.9201684737037024, 0.7017495611178288, 0.5587152179138446, 0.10896187906446,
                 0.5073827520419607, 1.0, 1.0, 1.0, 0.2, 0.5, 0.8});
  t.gamma_sum = vector_of({0.26, -0.18490640903003291, -0.5445316852875675, -0.03230297796648507,
                           -0.05985832397786847, 0.08292573124960323, 0.4158601113780379,
                           -0.4887636036121086, -0.5305551731438798, 0.12166683722729399,
                           -0.14899579330238244, 0.20995126195089908, -0.06287825975966793, 0.0,
                           0.0, 0.0, 8.520155173756681, -7.34858003171262, 1.5593201340906078});
  t.between =
      rows_of({{17.587737160518465, -4.506717064391614, 3.246011776864481, -5.070180845870549,
                -6.923968603369673, -1.6592466655000042, 0.8383525386642399, 1.2720777724693832,
                2.2171542815286456, 1.2791183755209752, 3.3596716472022443, -0.5508890465808383,
                -2.0565074886981494, -2.6056952102687827, -2.100871100634552, -1.8776167550373888,
                -0.022326222735958842, 0.25936621048769365, -0.12973178185863266},
               {-27.32817833553187, 2.3528275077734033, 7.155223685651038, 10.820120934865187,
                -25.034320788396975, -8.268316122429903, -11.20195859714455, -5.95292555000712,
                -4.350123484395559, -3.4923279797567224, -7.522667509591013, 6.313357154108988,
                3.434436480929646, 4.500204746140061, 3.6478467450775045, 2.888705712728512,
                -0.031277730738519756, -1.0511708104283997, 0.7378677397843861},
               {48.135250596372614, 1.6152029264444003, 8.745836243957392, 11.94240783069938,
                21.81240388443989, 13.3043522805227, 15.272804908450944, 7.036607939296541,
                -2.212585956007379, 3.686601637356048, 8.623872556251557, -9.029595886738495,
                -6.643976834766214, -6.745850399987328, -7.810160738277424, -3.8140189856964035,
                0.04030442810903404, 1.0072680387990685, -1.0126127084529764},
               {-12.232391324631207, 1.7643387246585114, -0.8009754670601623, -2.893944757628759,
                -7.972815842366974, 1.309554861689306, -4.604493120665954, 1.8134270309595735,
                -3.751773417632513, -0.5811994801517248, -2.741530578462468, 0.300651942632877,
                2.0061263661214994, 1.8521005591286555, -0.2324954254701126, 0.6873479719072509,
                0.12936879836252782, -0.17980608456604885, 0.32290862251165836}});
  embed_in_last_stage(t);
  return checked(t);
}

RosenbrockTableau make_ros34pw2() {
  const double g = 0.43586652150845900;
  RosenbrockTableau t{.name = "ros34pw2",
                      .order = 3,
                      .embedded_order = 2,
                      .continuous_order = 3,
                      .prothero_robinson_order = 2,
                      .stiffly_accurate = true,
                      .l_stable = true,
                      .gamma = g};
  t.alpha = triangle(
      4, {{}, {0.87173304301691801}, {0.84457060015369423, -0.11299064236484185}, {0.0, 0.0, 1.0}});
  t.Gamma = triangle(4, {{g},
                         {-0.87173304301691801, g},
                         {-0.90338057013044082, 0.054180672388095326, g},
                         {0.24212380706095346, -1.2232505839045147, 0.54526025533510214, g}});
  t.b = vector_of({0.24212380706095346, -1.2232505839045147, 1.5452602553351020, g});
  t.b_embedded = vector_of({0.37810903145819369, -0.096042292212423178, 0.5, 0.21793326075422950});
  t.alpha_sum = t.alpha.rowwise().sum();
  t.gamma_sum = t.Gamma.rowwise().sum();
  complete_in_u(t);
  t.step_stages = t.stages();
  t.between = extension_of_order_3(t);
  return checked(t);
}

/// Checks each property of one tableau and names the failing one.
struct Check {
  const RosenbrockTableau& t;
  double tolerance;

  void small(const char* condition, int k, double value, double size) const {
    if (!(std::abs(value) <= tolerance * size))
      throw std::logic_error(
          fmt::format("{}: {} ({}) is violated by {:.3g}", t.name, condition, k, value));
  }

  void trees(const char* condition, const VectorXd& b, int order, double theta = 1.0) const {
    for (int p = 1; p <= order; ++p)
      for (const RootedTree& tree : rooted_trees(p)) {
        const ConditionResidual residual = order_condition(t, b, tree, theta);
        small(condition, p, residual.value, residual.size);
      }
  }
};

}  // namespace

void check_rosenbrock_tableau(const RosenbrockTableau& t, double tolerance) {
  const Check check{t, tolerance};
  const auto s = static_cast<int>(t.stages());
  const VectorXd alpha = t.alpha.rowwise().sum(), gamma = t.Gamma.rowwise().sum();
  const MatrixXd forward = MatrixXd::Identity(s, s) / t.gamma - t.c;
  const MatrixXd both = t.Gamma * forward;
  for (int i = 0; i < s; ++i) {
    const double size = 1.0 + t.Gamma.row(i).cwiseAbs().dot(forward.cwiseAbs().rowwise().sum());
    check.small("row sum alpha", i, alpha(i) - t.alpha_sum(i), size);
    check.small("row sum gamma", i, gamma(i) - t.gamma_sum(i), size);
    check.small("diagonal of Gamma", i, t.Gamma(i, i) - t.gamma, 1.0);
    for (int j = 0; j < s; ++j)
      check.small("c = I/gamma - 1/Gamma", i, both(i, j) - (i == j ? 1.0 : 0.0), size);
    const double last = t.alpha(t.step_stages - 1, i) + t.Gamma(t.step_stages - 1, i);
    if (t.stiffly_accurate) check.small("stiff accuracy", i, t.b(i) - last, size);
  }
  check.trees("condition of order", t.b, t.order);
  check.trees("embedded condition of order", t.b_embedded, t.embedded_order);
  for (const double theta : {0.3, 0.7})
    check.trees("condition between the steps, of order", weights_between(t, theta),
                t.continuous_order - 1, theta);
  if (t.stiffly_accurate) check.small("alpha_s = 1", s, alpha(t.step_stages - 1) - 1.0, 1.0);
  // Sums of s terms with an inverse: a hundred roundings.
  if (t.l_stable) check.small("R(infinity) = 0", 0, stability_at_infinity(t, t.b), 1e2);
  for (int q = 2; q <= t.prothero_robinson_order; ++q)
    for (const double z : {-0.5, -3.0, -40.0})
      check.small("Prothero-Robinson, q", q, prothero_robinson_defect(t, q, z),
                  1e2 + t.prothero_robinson_residual / tolerance);
}

const RosenbrockTableau& rodas4_tableau() {
  static const RosenbrockTableau tableau = make_rodas4();
  return tableau;
}
const RosenbrockTableau& rodasp_tableau() {
  static const RosenbrockTableau tableau = make_rodasp();
  return tableau;
}
const RosenbrockTableau& rodas5p_tableau() {
  static const RosenbrockTableau tableau = make_rodas5p();
  return tableau;
}
const RosenbrockTableau& rodas6p_tableau() {
  static const RosenbrockTableau tableau = make_rodas6p();
  return tableau;
}
const RosenbrockTableau& ros34pw2_tableau() {
  static const RosenbrockTableau tableau = make_ros34pw2();
  return tableau;
}

namespace {

/// Adds to `made` every tree with these `branches` and further ones of `left` vertices in total.
/// The further branches start at tree number `first` of size `size`, so that each multiset occurs
/// once.
void complete(std::vector<RootedTree>& branches, int left, int size, std::size_t first,
              std::vector<RootedTree>& made) {
  if (left == 0) {
    made.push_back({branches});
    return;
  }
  for (; size <= left; ++size, first = 0) {
    const std::vector<RootedTree> candidates = rooted_trees(size);
    for (std::size_t k = first; k < candidates.size(); ++k) {
      branches.push_back(candidates[k]);
      complete(branches, left - size, size, k, made);
      branches.pop_back();
    }
  }
}

int vertices(const RootedTree& tree) {
  int count = 1;
  for (const RootedTree& branch : tree.branches) count += vertices(branch);
  return count;
}

/// γ(t): the number of vertices times that of every branch.
double density(const RootedTree& tree) {
  double product = vertices(tree);
  for (const RootedTree& branch : tree.branches) product *= density(branch);
  return product;
}

/// Φ(tree), s numbers, with the two matrices or with their moduli.
VectorXd weights(const MatrixXd& alpha, const MatrixXd& beta, const RootedTree& tree) {
  VectorXd product = VectorXd::Ones(alpha.rows());
  const MatrixXd& matrix = tree.branches.size() == 1 ? beta : alpha;
  for (const RootedTree& branch : tree.branches)
    product = product.cwiseProduct(matrix * weights(alpha, beta, branch)).eval();
  return product;
}

double factorial(int q) {
  return std::tgamma(q + 1.0);
}

}  // namespace

std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> made, branches;
  complete(branches, order - 1, 1, 0, made);
  return made;
}

VectorXd weights_between(const RosenbrockTableau& tableau, double theta) {
  VectorXd h = VectorXd::Zero(tableau.stages());
  for (Index p = tableau.between.rows() - 1; p >= 0; --p)
    h = theta * h + tableau.between.row(p).transpose();
  return tableau.Gamma.transpose() * (theta * (tableau.m + (1.0 - theta) * h));
}

ConditionResidual order_condition(const RosenbrockTableau& tableau, const VectorXd& b,
                                  const RootedTree& tree, double theta) {
  const MatrixXd& alpha = tableau.alpha;
  const double target = std::pow(theta, vertices(tree)) / density(tree);
  const double sum = b.dot(weights(alpha, alpha + tableau.Gamma, tree));
  const double size = b.cwiseAbs().dot(
      weights(alpha.cwiseAbs(), alpha.cwiseAbs() + tableau.Gamma.cwiseAbs(), tree));
  return {.value = sum - target, .size = size + target};
}

double stability_function(const RosenbrockTableau& tableau, const VectorXd& b, double z) {
  const Index s = tableau.stages();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * (tableau.alpha + tableau.Gamma);
  return 1.0 + z * b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(s))));
}

double stability_at_infinity(const RosenbrockTableau& tableau, const VectorXd& b) {
  const MatrixXd matrix = tableau.alpha + tableau.Gamma;
  return 1.0 - b.dot(LuFactors<double>(matrix).solve(VectorXd(VectorXd::Ones(tableau.stages()))));
}

double prothero_robinson_defect(const RosenbrockTableau& tableau, int q, double z) {
  const Index s = tableau.stages();
  const MatrixXd B = tableau.alpha + tableau.Gamma;
  const VectorXd alpha = tableau.alpha.rowwise().sum();
  const MatrixXd matrix = MatrixXd::Identity(s, s) - z * B;
  VectorXd right = -z * alpha.array().pow(q) / factorial(q);
  if (q == 2)
    right += B.rowwise().sum();
  else
    right += (alpha.array().pow(q - 1) / factorial(q - 1)).matrix();
  return tableau.b.dot(LuFactors<double>(matrix).solve(right)) - 1.0 / factorial(q);
}

}  // namespace rigidlimit
