import { openDialog, pendingAct } from '../acts/pending-act.ts'
import { forgetUnminted, type UnmintedSeal, unmintedSeals } from '../acts/unminted-seals.ts'
import { deployment } from '../api/deployment.ts'
import { useRead } from '../api/use-resource.ts'
import { Countdown, now } from '../parts/moment.tsx'
import { Button, Section } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { isSameAccount, shortenAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'

/** Lists the memories that are sealed for wallets of this browser and wait for their mint. */
export function UnmintedList(): JSX.Element | undefined {
  const seals = unmintedSeals.value.filter(isHere)
  if (seals.length === 0) return undefined
  return (
    <Section id="unminted" title="Sealed, not minted yet" class="panel">
      <p class="hint">These memories become yours with their mint, and are removed without it.</p>
      <ul class="ledger">
        {seals.map((seal) => (
          <Row key={seal.contentHash} seal={seal} />
        ))}
      </ul>
    </Section>
  )
}

/** Returns whether a memory is sealed for the contracts of this server, and can still be minted. */
const isHere = ({ chainId, registry, expiresAt }: UnmintedSeal): boolean =>
  chainId === deployment.value?.chainId &&
  isSameAccount(registry, deployment.value.registry) &&
  expiresAt > now.value * 1000

type RowProps = { readonly seal: UnmintedSeal }

function Row({ seal }: RowProps): JSX.Element {
  const { contentHash, name, expiresAt } = seal
  const minted = useMintedToken(seal)
  return (
    <li>
      <span>
        <UserText of={name} />{' '}
        <small class="hint">
          {minted === undefined && <Countdown at={Math.floor(expiresAt / 1000)} />}
          {minted === undefined && ' left'}
          {minted !== undefined && <a href={`/token/${minted}`}>minted as No. {minted}</a>}
        </small>
      </span>
      <span class="buttons">
        {minted === undefined && <MintButton seal={seal} />}
        <Button
          name={minted === undefined ? 'Discard' : 'Remove'}
          onClick={() => forgetUnminted(contentHash)}
        />
      </span>
    </li>
  )
}

/** Returns the token of a memory that was minted while this page did not follow it. */
function useMintedToken({ contentHash, creator }: UnmintedSeal): string | undefined {
  const { value } = useRead('tokens', { contentHash, creator, limit: 1 })
  return value?.items[0]?.tokenId
}

function MintButton({ seal }: RowProps): JSX.Element {
  const { act } = pendingAct.value ?? {}
  if (act?.kind === 'mint' && act.seal.contentHash === seal.contentHash) {
    return <small class="hint">The mint is pending.</small>
  }
  const account = connectedWallet.value?.account
  if (account !== undefined && !isSameAccount(account, seal.creator)) {
    return <small class="hint">Sealed for {shortenAccount(seal.creator)}</small>
  }
  return <Button name="Mint" class="main" onClick={openDialog({ kind: 'mint', seal })} />
}
