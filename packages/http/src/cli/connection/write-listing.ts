import type { ListInput } from '../../client/requests.ts'
import type { Call } from '../arguments/command.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/rows.ts'
import { connectWriter } from './connect-writer.ts'
import { dryRun } from './dry-run.ts'
import { ownDryRun } from './own-dry-run.ts'
import type { writeOptions } from './write-options.ts'

/** The terms of a listing, and the lines that say what was written. */
type ListingWrite = {
  readonly body: ListInput
  readonly done: readonly (readonly [string, string])[]
}

/** Writes the terms of a token, or with `--dry-run` describes it, and prints the result. */
export async function writeListing(
  call: Pick<Call<never, typeof writeOptions>, 'terminal' | 'options' | 'signal' | 'output'>,
  { body, done }: ListingWrite,
): Promise<void> {
  const { client, wallet, writes, options } = await connectWriter(call)
  if (call.options['dry-run']) {
    const write = { path: '/api/marketplace/list', body }
    const described =
      wallet === undefined
        ? await dryRun(client, write, call.signal)
        : ownDryRun(wallet, { act: 'list', quote: await wallet.quote('list', body) })
    return call.output.result(described)
  }
  const value = await writes.list(body, options)
  const lines: readonly Line[] = rows([...done, ['Transaction', value.txHash]])
  await call.output.result({ value: { ...value, ...body }, lines })
}
