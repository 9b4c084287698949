import { toSvgPath } from 'lean-qr/extras/svg'
import { generate } from 'lean-qr/nano'
import type { WalletApp } from './connect-choices.tsx'

/** Shows a code for each link, which the camera of a phone reads. */
export function PhoneCodes({ links }: { readonly links: readonly WalletApp[] }): JSX.Element {
  return (
    <>
      <p class="hint">
        Point the camera of your phone at a code: it opens this page there, or in a wallet’s app.
      </p>
      <div class="codes">
        {links.map((it) => (
          <PhoneCode key={it.name} {...it} />
        ))}
      </div>
    </>
  )
}

function PhoneCode({ name, link }: WalletApp): JSX.Element {
  const code = generate(link)
  // Four light modules around it are part of a code (ISO/IEC 18004).
  const side = code.size + 8
  return (
    <figure>
      <svg viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={`Code of a link: ${name}`}>
        <path d={toSvgPath(code)} />
      </svg>
      <figcaption>{name}</figcaption>
    </figure>
  )
}
