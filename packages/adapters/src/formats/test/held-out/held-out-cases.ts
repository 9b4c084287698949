import { type Draw, drawFrom } from '../draw.ts'
import { agentFiles } from './agent-files.ts'
import { harmlessTexts } from './harmless-texts.ts'
import { harmlessPlaces, harmlessValues } from './harmless-values.ts'
import { keyPlaces } from './key-places.ts'
import { type Label, secret, takeMarks } from './marks.ts'
import { namedValues, passwordNotes, passwords } from './named-values.ts'
import { providerKeys } from './provider-keys.ts'
import { structuredSecrets } from './structured-secrets.ts'
import { drawPhrase, phrasePlaces, walletKeys } from './wallet-secrets.ts'

/** A file of an agent, and the secrets in it; none if it is harmless. */
export type HeldOutCase = { readonly text: string; readonly labels: readonly Label[] }

/**
 * Two thirds of every table are measured while the patterns change; the last third is not
 * measured until they stand.
 */
export type Part = 'first' | 'last'

type Source = { readonly draw: Draw; readonly pick: <T>(table: readonly T[]) => T }

function sourceFor(part: Part, seed: string): Source {
  const draw = drawFrom(seed)
  const isDrawn = (index: number) => (index % 3 === 2) === (part === 'last')
  return { draw, pick: (table) => draw.pick(table.filter((_, index) => isDrawn(index))) }
}

const secretTexts: readonly (({ draw, pick }: Source) => string)[] = [
  ({ draw, pick }) => pick(keyPlaces)(secret(pick(providerKeys)(draw)), draw),
  ({ draw, pick }) =>
    pick(namedValues.spellings)(pick(namedValues.names), secret(pick(namedValues.values)(draw))),
  ({ draw, pick }) => pick(structuredSecrets)(draw),
  ({ draw, pick }) => pick(keyPlaces)(secret(pick(providerKeys)(draw)), draw),
  ({ draw, pick }) => pick(passwordNotes)(secret(pick(passwords)(draw)), draw),
  ({ draw, pick }) => pick(structuredSecrets)(draw),
  ({ draw, pick }) => pick(phrasePlaces)(secret(drawPhrase(draw)), draw),
  ({ draw, pick }) => pick(walletKeys)(draw),
]

const harmless: readonly (({ draw, pick }: Source) => string)[] = [
  ({ draw, pick }) => pick(harmlessPlaces)(pick(harmlessValues)(draw), draw),
  ({ draw, pick }) => pick(harmlessTexts.placeholders)(draw),
  ({ draw, pick }) => pick(harmlessPlaces)(pick(harmlessValues)(draw), draw),
  ({ draw, pick }) => pick(harmlessTexts.mentions)(draw),
  ({ draw, pick }) => pick(harmlessTexts.noise)(draw),
]

/** Draws `count` files with a secret and as many without; the same for the same seed. */
export function drawHeldOutCases(part: Part, seed: string, count: number): readonly HeldOutCase[] {
  const draw = (texts: typeof harmless) =>
    Array.from({ length: count }, (_, index) => {
      const source = sourceFor(part, `${seed}/${part}/${texts.length}/${index}`)
      const text = texts[index % texts.length]?.(source) ?? ''
      return takeMarks(source.pick(agentFiles)(text, source.draw))
    })
  return [...draw(secretTexts), ...draw(harmless)]
}
