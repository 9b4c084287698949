/** Parses JSON; returns the other value where it is none. */
export function parseOr<T>(text: string | null, other: T): T {
  try {
    return JSON.parse(text ?? '') as T
  } catch {
    return other
  }
}
