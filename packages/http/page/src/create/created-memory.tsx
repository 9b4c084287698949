import { termsOf } from '../acts/listing-terms.ts'
import { TermsTable } from '../acts/terms-table.tsx'
import type { OwnMint } from '../acts/unminted-seals.ts'
import { CopyableHash } from '../parts/copyable.tsx'
import { Transaction } from '../parts/explorer-link.tsx'
import { Notice } from '../parts/notice.tsx'
import { Seal } from '../parts/seal.tsx'
import { Button, Fact } from '../parts/section.tsx'
import { ListForm } from '../token/list-form.tsx'
import { useToken } from '../token/use-token.ts'

/** A memory that was just created. */
export type Created = OwnMint & {
  /** Whether the wallet of the visitor owns it. */
  readonly isOwn: boolean
}

type Props = { readonly created: Created; readonly startOver: () => void }

/** Shows a memory that was just created. */
export function CreatedMemory({ created, startOver }: Props): JSX.Element {
  const { tokenId, contentHash, txHash, isOwn } = created
  return (
    <section class="panel made" aria-labelledby="created">
      <Seal hash={contentHash} />
      <h2 id="created">Sealed as No. {tokenId}</h2>
      <Notice kind="good">
        The chain records this memory. Its seal is drawn from its content hash.
      </Notice>
      {!isOwn && (
        <p>
          It belongs to the wallet of this server, so only the operator can open it, list it or pass
          it on. Connect a wallet before you create a memory that is to be yours.
        </p>
      )}
      <dl class="facts">
        <Fact name="Content hash" value={<CopyableHash of={contentHash} />} />
        <Fact name="Transaction" value={<Transaction hash={txHash} />} />
      </dl>
      {isOwn && <ListNow tokenId={tokenId} />}
      <p class="buttons">
        <a class={isOwn ? 'button' : 'button main'} href={`/token/${tokenId}`}>
          View No. {tokenId}
        </a>
        <Button name="Create another" onClick={startOver} />
      </p>
    </section>
  )
}

/** Offers a memory that was just created, without a way to its own page. */
function ListNow({ tokenId }: { readonly tokenId: string }): JSX.Element | undefined {
  const { value } = useToken(tokenId)
  if (value === undefined) return undefined
  return (
    <section class="list-now" aria-label="Offer it">
      {value.listing !== null && (
        <>
          <p role="status">It is listed:</p>
          <TermsTable terms={termsOf(value.listing)} />
        </>
      )}
      <ListForm token={value} isOpen />
    </section>
  )
}
