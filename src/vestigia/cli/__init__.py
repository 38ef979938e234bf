"""People, at a terminal: parse, call the app, print. Data goes to standard output, progress and problems to the other.

Exit codes: 0 done; 1 a check failed, or nothing of what was given could be used; 2 the command was put wrongly;
3 archive, settings or disk need attention; 4 a model gave no answer, the run can be resumed; 130 interrupted, likewise.
"""
