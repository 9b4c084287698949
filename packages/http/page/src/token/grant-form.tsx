import { useEffect, useState } from 'preact/hooks'
import { lastSecondOf } from '../../../src/api/named-version.ts'
import type { GrantsPage } from '../../../src/client/responses.ts'
import { grantMemory, type TokenGrantInput, withToken } from '../../../src/wallet/grant-memory.ts'
import { describeAccountProblem, useAddressField } from '../account/address-field.tsx'
import { GrantTerms, ownGrants, readAndSave, useSigned } from '../account/granted.tsx'
import { Account } from '../parts/account.tsx'
import { announce } from '../parts/announce.ts'
import { CopyButton } from '../parts/copyable.tsx'
import { ActForm, Check, Submit, TextField, useText } from '../parts/form-fields.tsx'
import { now } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, ButtonLine } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { chainProvider, openChain } from '../wallet/open-chain.ts'
import { requestSigner } from '../wallet/signers.ts'

/** Shows an owner who may read a memory without owning or renting it; it grants and revokes that. */
export function GrantForm({ tokenId }: { readonly tokenId: string }): JSX.Element {
  const until = useText(dayIn(30))
  const label = useText()
  const name = useText()
  const [maySave, setMaySave] = useState(false)
  const [tried, setTried] = useState('')
  const { grants, isRunning, problem, grant, ...others } = useGrants(tokenId)
  const typed = name.text.trim()
  const isUnnamed = problem?.code === 'name/not-found'
  const missing = isUnnamed && typed === tried ? `You have no name ${tried}.` : undefined
  useEffect(() => {
    if (missing !== undefined) announce(missing)
  }, [missing])
  const { to, field } = useAddressField({
    name: 'Account of the reader',
    usual: 'It opens the memory with its own wallet, and pays nothing.',
    explain: describeAccountProblem,
  })
  const expires = lastSecondOf(until.text)
  const submit = () => {
    if (to === undefined || expires === undefined) return
    const named = { name: typed, rights: maySave ? readAndSave : 'read' } as const
    const terms = { tokenId, reader: to, expires, label: label.text.trim() }
    setTried(typed)
    grant(typed === '' ? terms : { ...terms, ...named })
  }
  return (
    <ActForm summary="Who may read this" submit={submit}>
      {field}
      <TextField
        name="Until the end of this day (UTC)"
        type="date"
        min={dayIn(0)}
        max={dayIn(365)}
        {...until}
      />
      <TextField name="Label, for you alone (optional)" maxLength={64} {...label} />
      <TextField
        name="Name of the memory, such as diary, to share all of its versions (optional)"
        hint={missing}
        isWrong={missing !== undefined}
        {...name}
      />
      {typed !== '' && (
        <Check isChecked={maySave} setChecked={setMaySave}>
          Let it save versions, too; they are yours
        </Check>
      )}
      <p class="hint">
        Your wallet signs twice, for a name three times, and pays nothing. A sale or a gift ends it,
        too.
      </p>
      <ProblemNotice problem={isUnnamed ? undefined : problem} />
      <Submit
        name={typed !== '' && maySave ? 'Let it read and save' : 'Let it read'}
        missing={!(to && expires) && 'Name the account, and the day.'}
        isSigning={isRunning}
      />
      <GrantList grants={grants} isRunning={isRunning} {...others} />
    </ActForm>
  )
}

/** Returns the day that is so many days ahead, in UTC: `2027-01-31`. */
const dayIn = (days: number): string =>
  new Date((now.peek() + days * 86_400) * 1000).toISOString().slice(0, 10)

type ListProps = Omit<ReturnType<typeof useGrants>, 'problem' | 'grant'>

/** Lists who may read a memory, or a name that it may be a version of, with the link that each needs. */
function GrantList(props: ListProps): JSX.Element {
  const { grants, hasOthers, isCut, isRunning, show, revoke, revokeAll } = props
  const linkTo = (tokenId: string, id: string) => `${location.origin}/token/${tokenId}?grant=${id}`
  return (
    <>
      {grants?.length === 0 && isCut === false && (
        <p class="hint">Nobody may read it by a grant of yours.</p>
      )}
      <ul class="ledger">
        {grants?.map(({ id, label, grant }) => (
          <li key={id}>
            <span>
              <Account of={grant.reader} /> {label !== '' && <UserText of={`(${label})`} />}
              <GrantTerms of={grant} />
            </span>
            <span class="buttons">
              <CopyButton name="Copy its link" what="link" read={() => linkTo(grant.tokenId, id)} />
              <Button name="Revoke" disabled={isRunning} onClick={() => revoke(id)} />
            </span>
          </li>
        ))}
      </ul>
      {hasOthers && (
        <p class="hint">
          Another grant lets the same account read it, too: “Show who may read it” lists each.
        </p>
      )}
      {isCut && <p class="hint">heirloom grants lists the others.</p>}
      <p class="buttons">
        <Button name="Show who may read it" disabled={isRunning} onClick={show} />
      </p>
      <p class="hint">
        Your wallet signs each of these once. What was read before stays with its reader.
      </p>
      <details>
        <summary>Revoke all my grants</summary>
        <p class="hint">This ends the grants of all of your memories, for good.</p>
        <ButtonLine name="Revoke all for good" disabled={isRunning} onClick={revokeAll} />
      </details>
    </>
  )
}

type Shown = GrantsPage['items'][number]

/** Returns the grants of a token, and of names, as far as the wallet had them shown; and what changes them. */
function useGrants(tokenId: string) {
  const [grants, setGrants] = useState<readonly Shown[]>()
  const [isCut, setCut] = useState<boolean>()
  const [hasOthers, setOthers] = useState(false)
  const { isRunning, problem, runSigned } = useSigned()
  return {
    grants,
    hasOthers,
    isCut,
    isRunning,
    problem,
    grant: (input: TokenGrantInput) =>
      runSigned(async (by) => {
        const { id, grant, others } = await grantReading(by, input)
        setOthers(others.length > 0)
        setGrants((before = []) => [{ id, grant, label: input.label ?? '' }, ...before])
        return 'It may read this. Send it its link.'
      }),
    show: () =>
      runSigned(async (by) => {
        const { items, next } = await ownGrants(by).grants({ limit: 100 })
        setGrants(items.filter(({ grant }) => grant.name !== '' || grant.tokenId === tokenId))
        setCut(next !== null)
        setOthers(false)
        return 'Your grants are shown.'
      }),
    revoke: (id: Shown['id']) =>
      runSigned(async (by) => {
        await ownGrants(by).revokeGrant(id)
        setGrants((before) => before?.filter((it) => it.id !== id))
        if (isCut === false) setOthers(false)
        return 'The grant is revoked.'
      }),
    revokeAll: () =>
      runSigned(async (by) => {
        await ownGrants(by).revokeGrants()
        setGrants([])
        setCut(false)
        setOthers(false)
        return 'All of your grants are revoked.'
      }),
  }
}

/** Lets a wallet sign a grant and its deposit, and brings both to the server. */
async function grantReading(wallet: ConnectedWallet, input: TokenGrantInput) {
  const { timers, ...signer } = requestSigner(wallet)
  const chain = await openChain(chainProvider(wallet))
  const { name } = input
  const terms =
    name === undefined
      ? input
      : await withToken(ownGrants(wallet), { ...input, name, tokenId: undefined })
  return grantMemory({ ...signer, url: new URL(location.origin), chain, now: timers.now }, terms)
}
