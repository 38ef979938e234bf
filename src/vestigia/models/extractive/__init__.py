"""No language model at all (B13): plans, verdicts and orders made from what can be measured, and labelled so."""
