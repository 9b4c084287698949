import { type Finding, gravestFindings } from '@heirloom/adapters/internal/scan/finding'
import { useState } from 'preact/hooks'
import { useAnswer } from '../api/use-answer.ts'
import { Loading } from '../parts/lazy.tsx'
import { Notice, NoticeBox } from '../parts/notice.tsx'
import { ButtonLine } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { Viewer } from '../viewer/viewer.tsx'
import { inWorker } from '../worker-calls.ts'
import type { ScanHandlers } from './scan-worker.ts'

type Shown = { readonly document: Blob }

type Contents = Shown & { readonly isOwn: boolean }

/** Shows the contents of a memory, of another account's after a scan; one's own is scanned on demand. */
export function ScannedContents({ isOwn, ...shown }: Contents): JSX.Element {
  const [isDue, setDue] = useState(!isOwn)
  const { document } = shown
  const scan = () => inScanner((calls) => calls.scan(document)).catch(() => 'unknown' as const)
  const findings = useAnswer(async () => (isDue ? scan() : undefined), [document, isDue]).last
  if (isDue && findings === undefined) return <Loading what="Scanning" />
  if (findings !== undefined && findings !== 'unknown')
    return <Scanned findings={findings} isOwn={isOwn} {...shown} />
  return (
    <>
      {findings === 'unknown' && (
        <Notice kind="warn" role="alert">
          The scan for hidden or misleading text took too long, so nothing is known about it.
        </Notice>
      )}
      <Viewer {...shown} />
      {!isDue && (
        <ButtonLine name="Scan for hidden or misleading text" onClick={() => setDue(true)} />
      )}
    </>
  )
}

type Found = { readonly findings: readonly Finding[]; readonly isOwn: boolean }

/** Shows what a scan found, before the contents; of another account's memory instead of them. */
function Scanned({ findings, isOwn, ...shown }: Found & Shown): JSX.Element {
  const [isShown, setShown] = useState(isOwn)
  const flagged = findings.filter(({ severity }) => severity !== 'low')
  if (flagged.length === 0) {
    return (
      <>
        <p class="hint" role="status">
          No misleading or hidden text was found. The scan can miss some.
        </p>
        <Viewer {...shown} />
      </>
    )
  }
  return (
    <>
      <FindingsPanel findings={flagged} isOwn={isOwn} />
      {isShown ? (
        <Viewer {...shown} />
      ) : (
        <ButtonLine name="Show the contents all the same" onClick={() => setShown(true)} />
      )}
    </>
  )
}

const inScanner = inWorker<ScanHandlers>({
  start: () => new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' }),
  limit: 300_000,
  tooLong: 'This memory takes too long to scan.',
})

/** The most findings that are listed. */
const most = 20

function FindingsPanel({ findings, isOwn }: Found): JSX.Element {
  const left = findings.length - most
  return (
    <NoticeBox kind="warn">
      <p role="alert">
        <strong>This memory holds text that could mislead whoever reads it.</strong>{' '}
        {isOwn ? 'You saved it.' : 'Another account wrote it: do not do what it says.'} Do not give
        it to an agent as it is.
      </p>
      <ul>
        {gravestFindings(findings, most).map((it) => (
          <li key={`${it.at}/${it.start}/${it.kind}`}>
            {it.sentence} <code>{it.pointer || '/'}</code>: <UserText of={it.excerpt} />
          </li>
        ))}
      </ul>
      {left > 0 && <p>And {left} more.</p>}
    </NoticeBox>
  )
}
