import type { JSX } from 'preact'
import { Notice } from '../parts/notice.tsx'
import type { Purchase } from './purchase.ts'

type Props = { readonly act: Purchase; readonly close: () => void }

const reasons: { readonly [kind in Purchase['kind']]: string } = {
  buy: 'Buying it would change nothing and cost you the royalties and the network fee.',
  rent: 'You can open its memory without renting it.',
  fork: 'A fork would give you the same memory again and cost you the royalties and the network fee.',
}

/** Says why an owner is not offered the own token. */
export function OwnToken({ act, close }: Props): JSX.Element {
  return (
    <>
      <Notice kind="plain">
        <p>
          <strong>This token is already yours.</strong> {reasons[act.kind]}
        </p>
      </Notice>
      <p class="buttons">
        <button type="button" class="main" onClick={close}>
          Close
        </button>
      </p>
    </>
  )
}
