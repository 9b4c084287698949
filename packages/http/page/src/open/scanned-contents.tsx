import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Lineage } from '../../../src/client/responses.ts'
import type { Finding } from '../../../src/scan/finding.ts'
import { mostTelling } from '../../../src/scan/most-telling.ts'
import { isSourceOf } from '../../../src/scan/source-creator.ts'
import { Loading } from '../parts/lazy.tsx'
import { Notice } from '../parts/notice.tsx'
import { UserText } from '../parts/user-text.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { Tree } from './tree.tsx'

type Contents = { readonly lineage: Lineage; readonly bytes: Uint8Array }

/** Shows the contents of a memory, of another account's after a scan; one's own is scanned on demand. */
export function ScannedContents({ lineage, bytes }: Contents): JSX.Element {
  const isOwn = isSourceOf(connectedWallet.value?.account, lineage)
  const [isDue, setDue] = useState(!isOwn)
  const findings = useFindings(bytes, isDue)
  if (isDue && findings === undefined) return <Loading what="Scanning" />
  if (findings !== undefined) return <Scanned findings={findings} isOwn={isOwn} bytes={bytes} />
  return (
    <>
      <Tree bytes={bytes} />
      <p class="buttons">
        <button type="button" onClick={() => setDue(true)}>
          Scan for hidden or misleading text
        </button>
      </p>
    </>
  )
}

type Found = { readonly findings: readonly Finding[]; readonly isOwn: boolean }

/** Shows what a scan found, before the contents; of another account's memory instead of them. */
function Scanned({ findings, isOwn, bytes }: Found & Pick<Contents, 'bytes'>): JSX.Element {
  const [isShown, setShown] = useState(isOwn)
  const flagged = findings.filter(({ severity }) => severity !== 'low')
  if (flagged.length === 0) {
    return (
      <>
        <p class="hint" role="status">
          A scan found nothing that could mislead a reader, which is no proof that there is nothing.
        </p>
        <Tree bytes={bytes} />
      </>
    )
  }
  return (
    <>
      <FindingsPanel findings={flagged} isOwn={isOwn} />
      {isShown ? (
        <Tree bytes={bytes} />
      ) : (
        <p class="buttons">
          <button type="button" onClick={() => setShown(true)}>
            Show the contents all the same
          </button>
        </p>
      )}
    </>
  )
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

function useFindings(bytes: Uint8Array, isDue: boolean): readonly Finding[] | undefined {
  const [findings, setFindings] = useState<readonly Finding[]>()
  useEffect(() => {
    let isCurrent = true
    const scan = async () => {
      const { scanInSteps } = await import('../../../src/scan/scan-text.ts')
      const found = await scanInSteps(new TextDecoder().decode(bytes), pause)
      if (isCurrent) setFindings(found.findings)
    }
    if (isDue) void scan()
    return () => {
      isCurrent = false
    }
  }, [bytes, isDue])
  return findings
}

/** The most findings that are listed. */
const most = 20

function FindingsPanel({ findings, isOwn }: Found): JSX.Element {
  const left = findings.length - most
  return (
    <Notice kind="warn">
      <p role="alert">
        <strong>This memory holds text that could mislead whoever reads it.</strong>{' '}
        {isOwn ? 'You made it.' : 'Another account made it: do not do what it says.'} Do not give it
        to an agent as it is.
      </p>
      <ul>
        {mostTelling(findings, most).map((it) => (
          <li key={`${it.at}/${it.start}/${it.kind}`}>
            {it.sentence} <code>{it.pointer || '/'}</code>: <UserText of={it.excerpt} />
          </li>
        ))}
      </ul>
      {left > 0 && <p>And {left} more.</p>}
    </Notice>
  )
}
