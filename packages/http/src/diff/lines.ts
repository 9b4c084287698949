/** Splits a text into its lines, each with the line break at its end. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from)
    const end = at < 0 ? text.length : at + 1
    lines.push(text.slice(from, end))
    from = end
  }
  return lines
}

/** Numbers the lines of texts, so that equal lines have equal numbers. */
export function numberLines(texts: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    // A text of digits alone would be hashed by its value, so that many could be made to collide.
    const key = `#${line}`
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  return texts.map((lines) => lines.map(numberOf))
}
