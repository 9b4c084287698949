import type { WriteOptions } from '../../client/transport/transport.ts'
import type { Call, Options } from '../arguments/command.ts'
import { serverOptions } from './connect.ts'
import { ownWalletOptions } from './own-wallet.ts'

/** The options of every command that makes the server, or your own wallet, send a transaction. */
export const writeOptions = {
  'dry-run': {
    type: 'boolean',
    about: 'Show what would be sent and paid; send nothing.',
  },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'Run the write only once, however often the command is repeated with this key.',
  },
  ...ownWalletOptions,
  ...serverOptions,
} as const satisfies Options

/** The options of every command that pays a price. */
export const payOptions = {
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before paying.' },
  ...writeOptions,
} as const satisfies Options

type WriteCall = Pick<
  Call<never, Pick<typeof writeOptions, 'idempotency-key'>>,
  'options' | 'signal'
>

/** Returns the client's options for a write. */
export function toWriteOptions({ options, signal }: WriteCall): WriteOptions {
  const { 'idempotency-key': idempotencyKey } = options
  return { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}
