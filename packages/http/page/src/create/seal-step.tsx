import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usableWallet } from '../acts/use-act.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { accessKey } from './access-key.ts'
import { buildCard, type Draft, validateDraft } from './draft.ts'
import type { Maker } from './maker.ts'
import { MakerChoice } from './maker-choice.tsx'
import { type SecretFindings, searchSecrets } from './search-secrets.ts'
import { SecretWarnings } from './secret-warnings.tsx'
import type { Source } from './source.ts'
import { type NewMemory, type Sealing, useSealing } from './use-sealing.ts'

type Props = NewMemory & { readonly setMaker: (maker: Maker) => void }

/** Warns of secrets, then seals and mints the memory. */
export function SealStep({ setMaker, ...memory }: Props): JSX.Element {
  const { source, draft, making } = memory
  const findings = useSecretFindings(source, draft)
  const [isAccepted, setAccepted] = useState(false)
  const hasFindings =
    findings !== undefined && findings.inMemory.length + findings.inCard.length > 0
  const problems = listProblems(memory)
  const isReady = findings !== undefined && problems.length === 0 && (!hasFindings || isAccepted)
  return (
    <section class="panel" aria-labelledby="finish">
      <h2 id="finish">5. Seal and mint</h2>
      {findings !== undefined && hasFindings && (
        <SecretWarnings findings={findings} isAccepted={isAccepted} setAccepted={setAccepted} />
      )}
      <MakerChoice
        making={making}
        setMaker={setMaker}
        parent={draft.parent.trim() || '0'}
        hasCard={buildCard(draft) !== undefined}
      />
      {problems.length > 0 && (
        <ul class="complaints">
          {problems.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      )}
      <SealAction memory={memory} isReady={isReady} />
    </section>
  )
}

function listProblems({ source, draft, making }: NewMemory): readonly string[] {
  const problems = validateDraft(draft, source.metadata !== undefined)
  const lacksKey = making.needsKey && accessKey.value === ''
  return lacksKey ? [...problems, 'Enter your access key above.'] : problems
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

type ActionProps = { readonly memory: NewMemory; readonly isReady: boolean }

function SealAction({ memory, isReady }: ActionProps): JSX.Element {
  const { step, problem, seal } = useSealing(memory)
  const isByWallet = memory.making.maker === 'wallet'
  if (isByWallet && usableWallet() === undefined) return <WrongChain />
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {isByWallet && step === 'idle' && (
        <p class="hint">
          First you sign a message that names this memory; that costs nothing. When it is sealed and
          stored, you confirm the mint.
        </p>
      )}
      {step === 'idle' ? (
        <button type="button" class="main" disabled={!isReady} onClick={seal}>
          {problem === undefined ? 'Seal and mint' : 'Try again'}
        </button>
      ) : (
        <SealProgress step={step} isByWallet={isByWallet} />
      )}
    </>
  )
}

type ProgressProps = {
  readonly step: Exclude<Sealing['step'], 'idle'>
  readonly isByWallet: boolean
}

function SealProgress({ step, isByWallet }: ProgressProps): JSX.Element {
  if (step === 'signing') return <p role="status">Waiting for your signature…</p>
  if (step < 1) return <ProgressBar name="Uploading" share={step} />
  return <ProgressBar name={isByWallet ? 'Sealing and storing' : 'Sealing, storing and minting'} />
}
