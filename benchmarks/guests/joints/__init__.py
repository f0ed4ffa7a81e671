"""How soft the joints of other engines are: `scripts/guests joints`."""
