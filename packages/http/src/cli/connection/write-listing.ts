import { pathOf } from '../../api/operations/paths.ts'
import type { ListInput } from '../../client/requests.ts'
import type { Call } from '../arguments/command.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'
import { requireOwner } from './check-writes.ts'
import { dryRun, ownDryRun } from './dry-run.ts'
import type { Writer, writeOptions } from './writer.ts'

/** The terms of a listing, and the lines that say what was written. */
type ListingWrite = {
  readonly body: ListInput
  readonly done: readonly (readonly [string, string])[]
  /** A warning for `--dry-run`. */
  readonly warning?: string | undefined
}

/** Writes the terms of a token, or with `--dry-run` describes it, and prints the result. */
export async function writeListing(
  call: Pick<Call<never, typeof writeOptions>, 'options' | 'signal' | 'output'>,
  { client, wallet, writes, options }: Writer,
  { body, done, warning }: ListingWrite,
): Promise<void> {
  if (call.options['dry-run']) {
    await requireOwner({ client, wallet, signal: call.signal }, `${body.tokenId}`)
    const write = { path: pathOf('list'), body, warning }
    const described =
      wallet === undefined
        ? await dryRun(client, write, call.signal)
        : ownDryRun(wallet, { act: 'list', quote: await wallet.quote('list', body), warning })
    return call.output.result(described)
  }
  const value = await writes.list(body, options)
  const lines: readonly Line[] = rows([...done, ['Transaction', value.txHash]])
  await call.output.result({ value: { ...value, ...body }, lines })
}
