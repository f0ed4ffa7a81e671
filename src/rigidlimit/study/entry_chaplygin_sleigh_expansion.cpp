#include "rigidlimit/study/make_expansion.hpp"
#include "rigidlimit/systems/chaplygin_sleigh.hpp"

namespace rigidlimit {

template Expansion make_expansion<ChaplyginSleigh>(const std::vector<double>&, const InitialState&,
                                                   const ViscoelasticLaw&, const VectorXd&);

}  // namespace rigidlimit
