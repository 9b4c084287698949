import type { Client } from '../../client/client.ts'
import type { FoundInMemory } from '../../client/responses.ts'
import { type GuardOptions, guardText } from '../guard.ts'

/**
 * Guards what a search found in a memory. A match and the text around it are one text for a reader,
 * so they are scanned as one, and held back together.
 */
export async function guardFound(
  client: Pick<Client, 'scan' | 'isOwn'>,
  found: FoundInMemory,
  options: GuardOptions,
) {
  const texts = found.matches.map(({ before, match, after }) => `${before}${match}${after}`)
  const joined = found.matches.map((it, nth) => ({
    ...it,
    before: '',
    match: texts[nth],
    after: '',
  }))
  const whole = JSON.stringify({ ...found, matches: joined })
  const { text, guard } = await guardText(client, whole, options)
  const guarded: FoundInMemory = JSON.parse(text)
  const matches = guarded.matches.map((it, nth) => {
    const { before = '', match = '', after = '' } = found.matches[nth] ?? {}
    return it.match === texts[nth] ? { ...it, before, match, after } : it
  })
  return { ...guarded, matches, ...(guard && { guard }) }
}
