import { useState } from 'preact/hooks'
import { usableWallet } from '../acts/use-act.ts'
import { useAnswer } from '../api/use-answer.ts'
import type { CheckedExcerpts } from '../formats/check-excerpts.ts'
import { NoticeBox, ProblemNotice } from '../parts/notice.tsx'
import { ProgressBar } from '../parts/progress-bar.tsx'
import { Button, Section } from '../parts/section.tsx'
import { BoldText, UserText } from '../parts/user-text.tsx'
import { formatBytes } from '../token/provenance-facts.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { WalletMenu } from '../wallet/wallet-menu.tsx'
import { WrongChain } from '../wallet/wrong-chain.tsx'
import { accessKey } from './access-key.ts'
import { buildCard, validateDraft } from './draft.ts'
import { type Maker, MakerChoice } from './maker-choice.tsx'
import { type NewMemory, useSealing } from './seal-memory.ts'
import { SecretWarnings, searchSecrets } from './secret-warnings.tsx'

type Props = NewMemory & {
  readonly setMaker: (maker: Maker) => void
  /** The values that are shown with a proof; absent until they are checked. */
  readonly excerpts: CheckedExcerpts | undefined
  /** The problem of the parent, which its field shows; absent until it is known. */
  readonly parentProblem: string | undefined
  /** The name of other files that are read now, which may replace those of the draft. */
  readonly reading: string | undefined
}

const pointTo = (parentProblem = ''): string =>
  parentProblem === '' ? '' : 'Correct the parent in step 2.'

/** Warns of secrets, then seals and mints the memory. */
export function SealStep(props: Props): JSX.Element {
  const { setMaker, excerpts, parentProblem, reading, ...memory } = props
  const { source, draft, making } = memory
  const search = () => searchSecrets(source, draft)
  const findings = useAnswer(search, [source, draft], debounce).last
  const parent = draft.parent.trim()
  const [isAccepted, setAccepted] = useState(false)
  const hasFindings = findings !== undefined && Object.values(findings).flat().length > 0
  const problems = listProblems(memory, [pointTo(parentProblem), ...(excerpts?.problems ?? [])])
  const isRead = ![findings, parentProblem, excerpts].includes(undefined) && reading === undefined
  const isReady = [isRead, problems.length === 0, !hasFindings || isAccepted].every(Boolean)
  return (
    <Section id="finish" title="5. Seal and mint" class="panel">
      {hasFindings && (
        <SecretWarnings findings={findings} isAccepted={isAccepted} setAccepted={setAccepted} />
      )}
      <MakerChoice
        making={making}
        setMaker={setMaker}
        parent={parentProblem === '' ? parent : ''}
        hasCard={buildCard(draft) !== undefined}
      />
      {problems.length > 0 && (
        <ul class="complaints">
          {problems.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      )}
      <p>
        The file is <BoldText of={source.name} />, {formatBytes(source.size)}.
      </p>
      <p role="status" class="hint">
        {reading !== undefined && (
          <>
            <UserText of={reading} /> is being read. Wait until it is chosen or refused.
          </>
        )}
      </p>
      <SealAction memory={memory} isReady={isReady} />
    </Section>
  )
}

function listProblems(
  { source, draft, making }: NewMemory,
  found: readonly string[],
): readonly string[] {
  const checked = found.filter((it) => it !== '')
  const problems = [...validateDraft(draft, source.metadata !== undefined), ...checked]
  const lacksKey = making.needsKey && accessKey.value === ''
  return lacksKey ? [...problems, 'Enter your access key above.'] : problems
}

/** The pause in typing before a search for secrets, in milliseconds. */
const debounce = 300

type ActionProps = { readonly memory: NewMemory; readonly isReady: boolean }

function SealAction({ memory, isReady }: ActionProps): JSX.Element {
  const { step, problem, seal } = useSealing(memory)
  const isByWallet = memory.making.maker === 'wallet'
  if (isByWallet && usableWallet() === undefined) return <WrongChain />
  return (
    <>
      <ProblemNotice problem={problem} />
      {isByWallet && step === 'idle' && (
        <p class="hint">
          You sign a message, which costs nothing, and confirm the mint once it is sealed.
        </p>
      )}
      {step === 'idle' && (
        <SealButton isReady={isReady} seal={seal} isRepeated={problem !== undefined} />
      )}
      {step === 'signing' && <p role="status">Waiting for your signature…</p>}
      {typeof step === 'number' && <Progress of={step} isByWallet={isByWallet} />}
    </>
  )
}

type ProgressProps = { readonly of: number; readonly isByWallet: boolean }

function Progress({ of, isByWallet }: ProgressProps): JSX.Element {
  if (of < 1) return <ProgressBar name="Uploading" share={of} />
  return <ProgressBar name={isByWallet ? 'Sealing and storing' : 'Sealing, storing and minting'} />
}

type ButtonProps = {
  readonly isReady: boolean
  readonly seal: () => void
  readonly isRepeated: boolean
}

/** Seals at once for a connected wallet, and asks first when the memory would not be the visitor's. */
function SealButton({ isReady, seal, isRepeated }: ButtonProps): JSX.Element {
  const [isConfirming, setConfirming] = useState(false)
  const hasWallet = connectedWallet.value !== undefined
  const text = isRepeated ? 'Try again' : 'Seal and mint'
  if (hasWallet) {
    return <Button name={text} class="main" disabled={!isReady} onClick={seal} />
  }
  if (!isConfirming) {
    return (
      <p class="buttons">
        <WalletMenu />
        <Button name={text} disabled={!isReady} onClick={() => setConfirming(true)} />
      </p>
    )
  }
  return (
    <NoticeBox kind="warn">
      <p role="alert">
        <strong>This memory would not be yours.</strong> Its owner would be the wallet of this
        server: you could never open it, list it or pass it on, and that cannot be changed later.
      </p>
      <p class="buttons">
        <WalletMenu />
        <Button name="Mint it to the wallet of this server" disabled={!isReady} onClick={seal} />
        <Button name="Cancel" onClick={() => setConfirming(false)} />
      </p>
    </NoticeBox>
  )
}
