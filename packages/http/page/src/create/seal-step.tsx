import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { idempotencyKey } from '../../../src/client/idempotency-key.ts'
import type { Minted } from '../../../src/client/responses.ts'
import { announce } from '../announce.ts'
import { catalogued } from '../api/wait-for-catalogue.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { shortAccount } from '../text/account.ts'
import { connected } from '../wallet/connected-wallet.ts'
import { type Alarms, alarmsIn } from './search-secrets.ts'
import { complaintsOf, type Draft } from './draft.ts'
import { requestBody } from './build-request-body.ts'
import { SecretWarnings } from './secret-warnings.tsx'
import type { Source } from './source.ts'
import { upload } from './upload.ts'

type Props = {
  readonly source: Source
  readonly draft: Draft
  readonly setMinted: (minted: Minted) => void
}

/** Warns of secrets, then has the memory sealed and minted. */
export function Finish({ source, draft, setMinted }: Props): JSX.Element {
  const alarms = useAlarms(source, draft)
  const [isAccepted, setAccepted] = useState(false)
  const hasAlarms = alarms !== undefined && alarms.sealed.length + alarms.shown.length > 0
  const complaints = complaintsOf(draft, source.metadata !== undefined)
  const isReady = alarms !== undefined && complaints.length === 0 && (!hasAlarms || isAccepted)
  return (
    <section class="panel" aria-labelledby="finish">
      <h2 id="finish">5. Seal it</h2>
      {alarms !== undefined && hasAlarms && (
        <SecretWarnings alarms={alarms} isAccepted={isAccepted} setAccepted={setAccepted} />
      )}
      <Owner />
      {complaints.length > 0 && (
        <ul class="complaints">
          {complaints.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      )}
      <Sealing source={source} draft={draft} setMinted={setMinted} isReady={isReady} />
    </section>
  )
}

function Owner(): JSX.Element {
  const wallet = connected.value
  if (wallet === undefined) {
    return (
      <Notice kind="warn">
        <p>
          <strong>No wallet is connected.</strong> The memory would belong to the server's own
          wallet. Connect yours first if it is to be yours.
        </p>
      </Notice>
    )
  }
  return (
    <p>
      It will belong to <strong>{wallet.name}</strong>, {shortAccount(wallet.account)}. The server
      pays for the mint.
    </p>
  )
}

/** How long to wait for the next letter before looking for secrets, in milliseconds. */
const pause = 300

function useAlarms(source: Source, draft: Draft): Alarms | undefined {
  const [alarms, setAlarms] = useState<Alarms>()
  useEffect(() => {
    let isWanted = true
    const due = setTimeout(async () => {
      const found = await alarmsIn(source, draft)
      if (isWanted) setAlarms(found)
    }, pause)
    return () => {
      isWanted = false
      clearTimeout(due)
    }
  }, [source, draft])
  return alarms
}

function Sealing({ source, draft, setMinted, isReady }: Props & { isReady: boolean }): JSX.Element {
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  const [apiKey, setApiKey] = useState('')
  const body = requestBody(source, draft, connected.value?.account)
  // The same body under the same key is made once, however often it must be sent.
  const key = useMemo(idempotencyKey, [body])
  const seal = async () => {
    setProblem(undefined)
    setShare(0)
    try {
      const minted = await upload({ body, key, apiKey }, setShare)
      await catalogued(minted.tokenId, { contentHash: minted.contentHash })
      announce(`Sealed. It is No. ${minted.tokenId}.`)
      setMinted(minted)
    } catch (error) {
      setShare(undefined)
      setProblem(problemOf(error))
    }
  }
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem?.code === 'request/not-authorized' && (
        <ApiKey apiKey={apiKey} setApiKey={setApiKey} />
      )}
      {share === undefined ? (
        <button type="button" class="main" disabled={!isReady} onClick={seal}>
          {problem === undefined ? 'Seal and mint' : 'Try again'}
        </button>
      ) : (
        <Under share={share} />
      )}
    </>
  )
}

function Under({ share }: { readonly share: number }): JSX.Element {
  return share < 1 ? (
    <ProgressBar name="Sending" share={share} />
  ) : (
    <ProgressBar name="Sealing, storing and minting" />
  )
}

type KeyProps = { readonly apiKey: string; readonly setApiKey: (apiKey: string) => void }

function ApiKey({ apiKey, setApiKey }: KeyProps): JSX.Element {
  return (
    <label class="field">
      <span>API key</span>
      <input
        type="password"
        autocomplete="off"
        value={apiKey}
        onInput={({ currentTarget }) => setApiKey(currentTarget.value)}
      />
    </label>
  )
}
