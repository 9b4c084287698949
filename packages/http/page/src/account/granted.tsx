import { useState } from 'preact/hooks'
import { signedSend } from '../../../src/client/access-proof.ts'
import { createOwnGrants } from '../../../src/client/grants.ts'
import { createNameCalls } from '../../../src/client/name-calls.ts'
import type { Grant, ReceivedGrantsPage } from '../../../src/client/responses.ts'
import { usableWallet } from '../acts/use-act.ts'
import { loadDeployment } from '../api/deployment.ts'
import { useRun } from '../api/use-answer.ts'
import { Account } from '../parts/account.tsx'
import { announce } from '../parts/announce.ts'
import { Form, Submit } from '../parts/form-fields.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, ButtonLine, Section } from '../parts/section.tsx'
import { TokenLink } from '../parts/token-link.tsx'
import { UserText } from '../parts/user-text.tsx'
import { formatDay } from '../text/moment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/signers.ts'
import { describeAccountProblem, useAddressField } from './address-field.tsx'

/** The right to save the next version of a name, too. */
export const readAndSave = 'read and save'

/** Lists what the owners that a wallet accepted let it read, once it signed for that, and nothing of others. */
export function Granted(): JSX.Element {
  const [shown, setShown] = useState<ReceivedGrantsPage>()
  const { isRunning, problem, runSigned } = useSigned()
  const { to, field } = useAddressField({
    name: 'Owner who granted you something',
    usual: 'Accept only an owner that you know: the names are its own words.',
    explain: describeAccountProblem,
  })
  const show = (done: string, change?: (calls: ReturnType<typeof ownGrants>) => Promise<void>) =>
    runSigned(async (wallet) => {
      const calls = ownGrants(wallet)
      await change?.(calls)
      setShown(await calls.receivedGrants({ limit: 100 }))
      return done
    })
  const accept = () => to && show('The owner is accepted.', (calls) => calls.acceptGrants(to))
  return (
    <Section id="granted" title="Granted">
      <ul class="ledger">
        {shown?.items.map(({ id, grant }) => (
          <li key={id}>
            <span>
              <TokenLink tokenId={grant.tokenId} grant={id} /> of <Account of={grant.owner} />
              <GrantTerms of={grant} />
            </span>
            <Button
              name="Ignore this owner"
              disabled={isRunning}
              onClick={() =>
                show('The owner is ignored.', (calls) => calls.ignoreGrants(grant.owner as '0x'))
              }
            />
          </li>
        ))}
      </ul>
      {shown?.items.length === 0 && (
        <p class="hint">No owner that this wallet accepted lets it read a memory.</p>
      )}
      {shown?.next != null && <p class="hint">heirloom grants --to-me lists the others.</p>}
      <ButtonLine
        name="Show what I may read"
        disabled={isRunning}
        onClick={() => show('What you may read is shown.')}
      />
      <Form submit={accept}>
        {field}
        <Submit
          name="Accept this owner"
          missing={!to && 'Name the account.'}
          isDisabled={isRunning}
        />
      </Form>
      <ProblemNotice problem={problem} />
      <p class="hint">
        Your wallet signs once to show the list, twice to accept or ignore an owner, and pays
        nothing.
      </p>
    </Section>
  )
}

/** Says what a grant is of where it is a name, what it lets its reader do, and until when. */
export function GrantTerms({ of: { name, rights, expires } }: { readonly of: Grant }): JSX.Element {
  return (
    <>
      {' '}
      {name !== '' && <UserText of={`all versions of ${name}`} />}
      {rights === readAndSave && ', may save,'} until {formatDay(expires)}
    </>
  )
}

/** Runs what the connected wallet signs, and announces what came of it. */
export function useSigned() {
  const { isRunning, problem, run } = useRun()
  const wallet = usableWallet()
  const runSigned = (work: (wallet: ConnectedWallet) => Promise<string>) => {
    if (wallet !== undefined) run(async () => announce(await work(wallet)))
  }
  return { isRunning, problem, runSigned }
}

/** Returns the calls on the grants and names of a wallet, which signs each of them. */
export function ownGrants(wallet: ConnectedWallet) {
  const signer = { ...requestSigner(wallet), readDeployment: loadDeployment }
  const send = signedSend({ ...signer, origin: location.origin })
  return { ...createOwnGrants({ ...signer, send }), ...createNameCalls(send) }
}
