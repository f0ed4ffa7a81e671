#include "rigidlimit/study/make_expansion.hpp"
#include "rigidlimit/systems/rolling_disk.hpp"

namespace rigidlimit {

template Expansion make_expansion<RollingDisk>(const std::vector<double>&, const InitialState&,
                                               const ViscoelasticLaw&, const VectorXd&);

}  // namespace rigidlimit
