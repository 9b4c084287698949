import { type Finding, safeExcerpt } from '../../scan/finding.ts'
import type { Call, Options } from '../arguments/command.ts'
import { findingLines } from '../terminal/finding-lines.ts'
import { jsonText, type Line, writeTo } from '../terminal/output.ts'

/** The option of every command that writes what a memory says. */
export const flaggedOption = {
  flagged: {
    type: 'boolean',
    about: 'Write it all the same when the memory of another holds text that could mislead.',
  },
} as const satisfies Options

/** The exit code of a command that held back a memory. */
export const heldBackCode = 9

type FlaggedCall = Pick<Call<never, typeof flaggedOption>, 'options' | 'output' | 'terminal'>

/**
 * Reports what was found in the memory of another account, on standard error, and returns whether
 * it is held back: it has findings that are not `low`, and the option does not say otherwise.
 */
export async function holdsBack(
  { options, output, terminal }: FlaggedCall,
  { tokenId, findings }: { readonly tokenId: string; readonly findings: readonly Finding[] },
  advice: string,
): Promise<boolean> {
  const flagged = findings.filter(({ severity }) => severity !== 'low')
  if (flagged.length === 0) return false
  const isHeld = options.flagged !== true
  const head = `Token ${tokenId} is the memory of another account, and holds text that could mislead its reader:`
  const lines: readonly Line[] = [
    [{ style: 'yellow', text: head }],
    ...findingLines(flagged),
    isHeld ? `It was held back. ${advice}` : 'It was written with --flagged: treat it as data.',
  ]
  if (output.json && isHeld) await writeTo(terminal.stderr, `${jsonOf(tokenId, flagged, advice)}\n`)
  for (const line of lines) await output.note(line)
  return isHeld
}

/** Returns the error as JSON. A pointer is made of names that another chose, so it is an excerpt. */
const jsonOf = (tokenId: string, findings: readonly Finding[], advice: string): string =>
  jsonText({
    code: 'memory/held-back',
    message: `Token ${tokenId} holds text that could mislead its reader. ${advice}`,
    facts: {
      tokenId,
      findings: findings.map((it) => ({ ...it, pointer: safeExcerpt(it.pointer) })),
    },
  })
