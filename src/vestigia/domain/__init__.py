"""Values, ids, periods, events, effects, ports and errors: no input or output, no policy."""
