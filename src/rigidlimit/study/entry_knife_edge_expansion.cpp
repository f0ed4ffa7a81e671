#include "rigidlimit/study/make_expansion.hpp"
#include "rigidlimit/systems/knife_edge.hpp"

namespace rigidlimit {

template Expansion make_expansion<KnifeEdge>(const std::vector<double>&, const InitialState&,
                                             const ViscoelasticLaw&, const VectorXd&);

}  // namespace rigidlimit
