import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { idempotencyKey } from '../../../src/client/idempotency-key.ts'
import type { Minted } from '../../../src/client/responses.ts'
import { announce } from '../announce.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { waitForToken } from '../api/wait-for-catalogue.ts'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { shortenAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { buildRequestBody } from './build-request-body.ts'
import { type Draft, validateDraft } from './draft.ts'
import { type SecretFindings, searchSecrets } from './search-secrets.ts'
import { SecretWarnings } from './secret-warnings.tsx'
import type { Source } from './source.ts'
import { upload } from './upload.ts'

type Props = {
  readonly source: Source
  readonly draft: Draft
  readonly setMinted: (minted: Minted) => void
}

/** Warns of secrets, then seals and mints the memory. */
export function SealStep({ source, draft, setMinted }: Props): JSX.Element {
  const findings = useSecretFindings(source, draft)
  const [isAccepted, setAccepted] = useState(false)
  const hasFindings =
    findings !== undefined && findings.inMemory.length + findings.inCard.length > 0
  const problems = validateDraft(draft, source.metadata !== undefined)
  const isReady = findings !== undefined && problems.length === 0 && (!hasFindings || isAccepted)
  return (
    <section class="panel" aria-labelledby="finish">
      <h2 id="finish">5. Seal and mint</h2>
      {findings !== undefined && hasFindings && (
        <SecretWarnings findings={findings} isAccepted={isAccepted} setAccepted={setAccepted} />
      )}
      <Owner />
      {problems.length > 0 && (
        <ul class="complaints">
          {problems.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      )}
      <Sealing source={source} draft={draft} setMinted={setMinted} isReady={isReady} />
    </section>
  )
}

function Owner(): JSX.Element {
  const wallet = connectedWallet.value
  if (wallet === undefined) {
    return (
      <Notice kind="warn">
        <p>
          <strong>No wallet is connected.</strong> The memory would belong to the wallet of the
          server. Connect your wallet first to own it.
        </p>
      </Notice>
    )
  }
  return (
    <p>
      The owner will be <strong>{wallet.name}</strong>, {shortenAccount(wallet.account)}. The server
      pays for the mint.
    </p>
  )
}

/** The pause in typing before a search for secrets, in milliseconds. */
const debounce = 300

function useSecretFindings(source: Source, draft: Draft): SecretFindings | undefined {
  const [findings, setFindings] = useState<SecretFindings>()
  useEffect(() => {
    let isCurrent = true
    const due = setTimeout(async () => {
      const found = await searchSecrets(source, draft)
      if (isCurrent) setFindings(found)
    }, debounce)
    return () => {
      isCurrent = false
      clearTimeout(due)
    }
  }, [source, draft])
  return findings
}

function Sealing({ source, draft, setMinted, isReady }: Props & { isReady: boolean }): JSX.Element {
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  const [apiKey, setApiKey] = useState('')
  const body = buildRequestBody(source, draft, connectedWallet.value?.account)
  // The same body under the same key creates one token, however often it is sent.
  const key = useMemo(idempotencyKey, [body])
  const seal = async () => {
    setProblem(undefined)
    setShare(0)
    try {
      const minted = await upload({ body, key, apiKey }, setShare)
      await waitForToken(minted.tokenId, { contentHash: minted.contentHash })
      announce(`Sealed as No. ${minted.tokenId}.`)
      setMinted(minted)
    } catch (error) {
      setShare(undefined)
      setProblem(toProblem(error))
    }
  }
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem?.code === 'request/not-authorized' && (
        <AccessKey apiKey={apiKey} setApiKey={setApiKey} />
      )}
      {share === undefined ? (
        <button type="button" class="main" disabled={!isReady} onClick={seal}>
          {problem === undefined ? 'Seal and mint' : 'Try again'}
        </button>
      ) : (
        <SealProgress share={share} />
      )}
    </>
  )
}

function SealProgress({ share }: { readonly share: number }): JSX.Element {
  return share < 1 ? (
    <ProgressBar name="Uploading" share={share} />
  ) : (
    <ProgressBar name="Sealing, storing and minting" />
  )
}

type KeyProps = { readonly apiKey: string; readonly setApiKey: (apiKey: string) => void }

function AccessKey({ apiKey, setApiKey }: KeyProps): JSX.Element {
  return (
    <label class="field">
      <span>Access key</span>
      <input
        type="password"
        autocomplete="off"
        value={apiKey}
        onInput={({ currentTarget }) => setApiKey(currentTarget.value)}
      />
    </label>
  )
}
