/** Mutants that no observer can tell from the original, by name, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {}
