import type { Finding } from '@heirloom/adapters/internal/scan/finding'
import { gravestFindings, safeExcerpt } from '@heirloom/adapters/internal/scan/finding'
import { unescapeToken } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import type { Call, Options } from '../arguments/command.ts'
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

/** The most findings that are shown to a person. */
const mostFindings = 20

/** Returns findings as lines: how grave, what, where, and what stands there. */
export function findingLines(findings: readonly Finding[]): readonly Line[] {
  const lines = gravestFindings(findings, mostFindings).flatMap(linesOf)
  const left = findings.length - mostFindings
  return left > 0 ? [...lines, `… and ${left} more; --json shows all.`] : lines
}

function linesOf(it: Finding): readonly Line[] {
  const { severity, kind, sentence, pointer, start, end, excerpt, via } = it
  const place = `${safeExcerpt(pointer) || 'the text'}${it.in === 'name' ? ' (its name)' : ''}, ${start} to ${end}`
  const decoded = via.length === 0 ? '' : ` in ${via.join(', ')}`
  return [
    [{ style: severity === 'high' ? 'red' : 'yellow', text: severity }, `  ${kind}: ${sentence}`],
    [{ style: 'dim', text: `      ${place}${decoded}: ${excerpt}` }],
  ]
}

/** A value of a memory: its pointer, and its exact text where it is printed. */
type Part = { readonly pointer?: string | undefined; readonly text?: string | undefined }

type Scans = Pick<Client, 'scan' | 'isOwn'>
type ScanOptions = { readonly signal: AbortSignal }

/**
 * Returns what is found in values of a memory and in the names that lead to them, unless it is one's
 * own; pointers are of the memory.
 */
export async function findingsOfParts(
  client: Scans,
  tokenId: string,
  parts: readonly Part[],
  options: ScanOptions,
): Promise<readonly Finding[]> {
  if (await client.isOwn(tokenId, options).catch(() => false)) return []
  const scans = parts.map(async ({ pointer = '', text = '' }) => {
    const { findings } = await client.scan(text, options)
    return findings.map((it) => ({ ...it, pointer: `${pointer}${it.pointer}` }))
  })
  return [...(await findingsInNames(client, parts, options)), ...(await Promise.all(scans)).flat()]
}

async function findingsInNames(
  client: Scans,
  parts: readonly Part[],
  options: ScanOptions,
): Promise<readonly Finding[]> {
  const names = new Map(parts.flatMap(({ pointer = '' }) => namesIn(pointer)))
  const pointers = [...names.keys()]
  const { findings } = await client.scan(JSON.stringify([...names.values()]), options)
  return findings.map((it) => {
    const pointer = pointers[Number(it.pointer.slice(1))] ?? ''
    return { ...it, pointer, in: 'name' as const }
  })
}

/** Returns the names in a pointer, each with the pointer to its value. */
function namesIn(pointer: string): readonly (readonly [string, string])[] {
  let at = ''
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      at += `/${token}`
      return [at, unescapeToken(token)] as const
    })
}
