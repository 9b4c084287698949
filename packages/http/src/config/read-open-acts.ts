import { type Environment, readText, splitList, wrongValue } from './environment.ts'

/**
 * The acts that need no API key where OPEN_ACTS names them. They cost the operator nothing but bounded
 * storage (seal) or bounded gas (relay).
 */
export const openableActs = ['seal', 'relay'] as const
export type OpenAct = (typeof openableActs)[number]

/**
 * Reads the acts that need no API key.
 *
 * @throws `config/invalid`
 */
export function readOpenActs(env: Environment): readonly OpenAct[] {
  const names = splitList(readText(env, 'OPEN_ACTS'))
  if (names.every(isOpenable)) return names
  throw wrongValue('OPEN_ACTS', `must be a comma list of: ${openableActs.join(', ')}`, names.join())
}

const isOpenable = (name: string): name is OpenAct => openableActs.some((act) => act === name)
