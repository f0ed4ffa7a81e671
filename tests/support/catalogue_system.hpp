// A system of the catalogue for formulations.
#pragma once

#include "rigidlimit/mechanics/contact_basis.hpp"
#include "rigidlimit/mechanics/contact_law.hpp"
#include "rigidlimit/systems/catalogue.hpp"

namespace rigidlimit::test {

/// A system with default parameters, default start and a generic contact.
struct CatalogueSystem {
  explicit CatalogueSystem(const SystemEntry& from)
      : entry(from),
        model(from.make(from.default_values())),
        start(from.start(from.default_values())),
        contacts(contact_basis(model, start.q)),
        law{.stiffness = 1.3 * MatrixXd::Identity(model.m, model.m),
            .damping = 0.7 * MatrixXd::Identity(model.m, model.m)},
        eta0(VectorXd::Constant(model.m, 0.4)) {}

  const SystemEntry& entry;
  System model;
  InitialState start;
  ContactBasis contacts;
  ViscoelasticLaw law;
  VectorXd eta0;
};

}  // namespace rigidlimit::test
