import { type OpenAct, openableActs } from '../../config/read-access.ts'
import type { KeyRing } from './key-ring.ts'

/** The acts of visitors that a server may let anyone do without an API key. */
export type KeylessAct = 'snapshot' | OpenAct

/** Returns the acts that need no API key: all without keys, otherwise those that are open. */
export function keylessActs(
  { isRequired }: Pick<KeyRing, 'isRequired'>,
  openActs: readonly OpenAct[] = [],
): readonly KeylessAct[] {
  return isRequired ? openActs : ['snapshot', ...openableActs]
}
