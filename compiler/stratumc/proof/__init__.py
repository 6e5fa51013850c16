"""Stage: proof. Formulas and queries over flows and workflows, with three results and replayed witnesses."""
