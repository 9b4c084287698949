import type { JSX } from 'preact'
import type { Minted } from '../../../src/client/responses.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { Seal } from '../parts/seal.tsx'
import { shortenHash } from '../text/account.ts'

type Props = { readonly minted: Minted; readonly startOver: () => void }

/** Shows a memory that was just created. */
export function CreatedMemory({ minted, startOver }: Props): JSX.Element {
  const { tokenId, contentHash, txHash } = minted
  return (
    <section class="panel made" aria-labelledby="created">
      <Seal hash={contentHash} />
      <h2 id="created">Sealed as No. {tokenId}</h2>
      <Notice kind="good">
        <p>The chain records this memory. Its seal is drawn from its content hash.</p>
      </Notice>
      <dl class="facts">
        <dt>Content hash</dt>
        <dd>
          <Copyable text={contentHash} shown={shortenHash(contentHash)} what="hash" />
        </dd>
        <dt>Transaction</dt>
        <dd>
          <Copyable text={txHash} shown={shortenHash(txHash)} what="transaction" />
        </dd>
      </dl>
      <p class="buttons">
        <a class="button main" href={`/token/${tokenId}`}>
          View and list for sale
        </a>
        <button type="button" onClick={startOver}>
          Create another
        </button>
      </p>
    </section>
  )
}
