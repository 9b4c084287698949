import { account, Failure, tokenId } from '@heirloom/core'
import { pathOf } from '../../api/operations/paths.ts'
import type { ListInput } from '../../client/requests.ts'
import type { Call } from '../arguments/command.ts'
import { dryRun, ownDryRun } from '../connection/dry-run.ts'
import type { Writer, writeOptions } from '../connection/writer.ts'
import type { Line } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'

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

/** The server, and your own wallet if that signs. */
type Reader = Pick<Writer, 'client' | 'wallet'> & Pick<Call, 'signal'>

/**
 * Requires that the wallet which would list a token owns it, where the server shows its wallet.
 *
 * @throws `listing/not-owner`, `token/not-found`
 */
async function requireOwner({ client, wallet, signal }: Reader, id: string): Promise<void> {
  const { token } = await client.lineage(id, {}, { signal })
  const { owner } = token
  const signer =
    wallet?.address ?? (await client.wallet({ signal }).catch(() => undefined))?.address
  if (signer === undefined || owner.toLowerCase() === signer.toLowerCase()) return
  throw new Failure('listing/not-owner', {
    tokenId: tokenId(BigInt(id)),
    owner: account(owner),
    account: account(signer),
  })
}
