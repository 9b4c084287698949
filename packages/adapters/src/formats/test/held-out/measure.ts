import { findSecrets, redactSecrets } from '../../secrets/secrets.ts'
import type { HeldOutCase } from './held-out-cases.ts'
import type { Label } from './marks.ts'

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the texts between the labelled stretches, the first and the last included. */
function outside({ text, labels }: HeldOutCase): readonly string[] {
  const ends = [0, ...labels.map(({ outer }) => outer[1])]
  const starts = [...labels.map(({ outer }) => outer[0]), text.length]
  return ends.map((end, index) => text.slice(end, starts[index]))
}

/** Returns what stands in the place of each label, or nothing if the text changed elsewhere. */
function replacements(one: HeldOutCase): readonly string[] | undefined {
  const pattern = new RegExp(`^${outside(one).map(literal).join('(.*?)')}$`, 's')
  return pattern.exec(redactSecrets(one.text).text)?.slice(1)
}

/** Tells whether nothing but a part of the outer stretch is left beside the marker. */
function isGone(text: string, { core, outer }: Label, replacement: string): boolean {
  const [before, after] = [text.slice(outer[0], core[0]), text.slice(core[1], outer[1])]
  const rests = replacement.split(/\(redacted-\d+\)/)
  return rests.length > 1 && rests.every((rest) => before.includes(rest) || after.includes(rest))
}

/** The result of a redaction: secrets gone and left, and findings that are no secrets. */
export type Outcome = { readonly gone: number; readonly left: number; readonly wrong: number }

/** Redacts a file and compares the text before with the text after. */
export function outcomeOf(one: HeldOutCase): Outcome {
  const found = findSecrets(one.text).length
  const replaced = replacements(one)
  if (replaced === undefined) {
    const after = redactSecrets(one.text).text
    const left = one.labels.filter(({ core }) => after.includes(one.text.slice(...core))).length
    const gone = one.labels.length - left
    return { gone, left, wrong: Math.max(1, found - gone) }
  }
  const gone = one.labels.filter((label, index) => isGone(one.text, label, replaced[index] ?? ''))
  return { gone: gone.length, left: one.labels.length - gone.length, wrong: 0 }
}

/** Returns the shares of secrets that are found and of findings that are secrets. */
export function shares(outcomes: readonly Outcome[]): { recall: number; precision: number } {
  const sum = (of: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[of], 0)
  return {
    recall: sum('gone') / (sum('gone') + sum('left')),
    precision: sum('gone') / (sum('gone') + sum('wrong')),
  }
}
