import type { JSX } from 'preact'
import type { Minted } from '../../../src/client/responses.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Notice } from '../parts/notice.tsx'
import { Seal } from '../parts/seal.tsx'
import { shortHash } from '../text/account.ts'

type Props = { readonly minted: Minted; readonly again: () => void }

/** Shows a memory that was just made. */
export function Made({ minted, again }: Props): JSX.Element {
  const { tokenId, contentHash, txHash } = minted
  return (
    <section class="panel made" aria-labelledby="made">
      <Seal hash={contentHash} />
      <h2 id="made">It is sealed, as No. {tokenId}</h2>
      <Notice kind="good">
        <p>The chain records it from now on. Its seal is drawn from its content hash.</p>
      </Notice>
      <dl class="facts">
        <dt>Content hash</dt>
        <dd>
          <Copyable text={contentHash} shown={shortHash(contentHash)} what="hash" />
        </dd>
        <dt>Transaction</dt>
        <dd>
          <Copyable text={txHash} shown={shortHash(txHash)} what="transaction" />
        </dd>
      </dl>
      <p class="buttons">
        <a class="button main" href={`/token/${tokenId}`}>
          See it, and offer it
        </a>
        <button type="button" onClick={again}>
          Create another
        </button>
      </p>
    </section>
  )
}
