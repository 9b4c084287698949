import type { Account } from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { type Environment, invalidVariable, readText } from './environment.ts'

/**
 * Reads the address of the registry of ENS; `none` to use no names of ENS.
 *
 * @throws `config/invalid`
 */
export function readEns(env: Environment): Account | 'none' | undefined {
  const text = readText(env, 'ENS_REGISTRY')
  if (text === undefined || text === 'none') return text
  try {
    return readAddress(text)
  } catch {
    throw invalidVariable(
      'ENS_REGISTRY',
      'must be an address, 0x and 40 hexadecimal digits, or none',
    )
  }
}
