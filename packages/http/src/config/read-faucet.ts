import { type Environment, readFlag, readInteger } from './environment.ts'

/** The settings of the faucet, which hands out test dollars of the embedded chain. */
export type FaucetSettings = {
  readonly isOn: boolean
  /** The times that a client, and an account, may use it in a day; 0 for no bound. */
  readonly perDay: number
}

/**
 * Reads the settings of the faucet, which is on by default where only this machine reaches the server.
 *
 * @throws `config/invalid`
 */
export function readFaucet(env: Environment, isLocal: boolean): FaucetSettings {
  return {
    isOn: readFlag(env, 'FAUCET_OPEN', isLocal),
    perDay: readInteger(env, { name: 'FAUCET_PER_DAY', min: 0, max: 2 ** 40 }) ?? 100,
  }
}
