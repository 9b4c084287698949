import { alphabets, type Draw } from '../draw.ts'

const { digits, letters, lower, upper, word } = alphabets
const url = `${word}-_`
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Keys that providers publish the form of, each drawn as a provider makes it. */
export const providerKeys: readonly ((draw: Draw) => string)[] = [
  (d) => `sk-proj-${d.text(url, 74)}T3BlbkFJ${d.text(url, 73)}A`,
  (d) => `sk-ant-api03-${d.text(url, 93)}AA`,
  (d) => `AIza${d.text(url, 34)}k`,
  (d) => `sk-${d.text(word, 20)}T3BlbkFJ${d.text(word, 20)}`,
  (d) => `hf_${d.text(letters, 34)}`,
  (d) => `gsk_${d.text(word, 52)}`,
  (d) => `xai-${d.text(word, 80)}`,
  (d) => `pplx-${d.text(word, 48)}`,
  (d) => `r8_${d.text(word, 37)}`,
  (d) => `sk-or-v1-${d.hex(32)}`,
  (d) => `tvly-dev-${d.text(word, 32)}`,
  (d) => `lsv2_pt_${d.hex(16)}_${d.hex(5)}`,
  (d) => `sk-lf-${d.uuid()}`,
  (d) => `pcsk_${d.text(word, 6)}_${d.text(word, 63)}`,
  (d) => `m0-${d.text(word, 40)}`,
  (d) => `nvapi-${d.text(url, 63)}x`,
  (d) => `sk-${d.hex(16)}`,
  (d) => `ghp_${d.text(word, 36)}`,
  (d) => `github_pat_${d.text(word, 22)}_${d.text(word, 59)}`,
  (d) => `gho_${d.text(word, 36)}`,
  (d) => `ghs_${d.text(word, 36)}`,
  (d) => `glpat-${d.text(url, 19)}Q`,
  (d) => `glrt-${d.text(url, 19)}Q`,
  (d) => `npm_${d.text(word, 36)}`,
  (d) => `pypi-AgEIcHlwaS5vcmc${d.text(url, 149)}w`,
  (d) => `dckr_pat_${d.text(url, 26)}Z`,
  (d) => `xoxb-${d.text(digits, 12)}-${d.text(digits, 13)}-${d.text(word, 24)}`,
  (d) => `xapp-1-A0${d.text(upper, 9)}-${d.text(digits, 13)}-${d.hex(32)}`,
  (d) =>
    `xoxp-${d.text(digits, 12)}-${d.text(digits, 12)}-${d.text(digits, 13)}-${d.text('0123456789abcdef', 32)}`,
  (d) => `MT${d.text(word, 24)}.G${d.text(word, 5)}.${d.text(url, 37)}s`,
  (d) => `7${d.text(digits, 9)}:AA${d.text(url, 32)}g`,
  (d) => `sk_live_51${d.text(word, 97)}`,
  (d) => `rk_live_51${d.text(word, 97)}`,
  (d) => `sk_test_${d.text(word, 24)}`,
  (d) => `whsec_${d.text(word, 32)}`,
  (d) => `SG.${d.text(url, 22)}.${d.text(url, 42)}A`,
  (d) => `key-${d.hex(16)}`,
  (d) => `${d.hex(16)}-us${1 + d.integer(21)}`,
  (d) => `xkeysib-${d.hex(32)}-${d.text(word, 16)}`,
  (d) => `re_${d.text(word, 8)}_${d.text(word, 24)}`,
  (d) => `dop_v1_${d.hex(32)}`,
  (d) => `v1.0-${d.hex(12)}-${d.hex(73)}`,
  (d) => `nfp_${d.text(word, 36)}`,
  (d) => `HRKU-AA${d.text(url, 57)}a`,
  (d) => `sbp_${d.hex(20)}`,
  (d) => `sb_secret_${d.text(url, 22)}_${d.text(url, 7)}e`,
  (d) => `pscale_tkn_${d.text(url, 42)}b`,
  (d) => `dapi${d.hex(16)}`,
  (d) => `${d.text(word, 3)}8Q~${d.text(`${word}_~.`, 33)}c`,
  (d) => `GOCSPX-${d.text(url, 27)}d`,
  (d) => `1//0${d.text(digits, 1)}${d.text(url, 98)}I`,
  (d) => `ya29.a0${d.text(url, 160)}`.concat('0171'),
  (d) => `shpat_${d.hex(16)}`,
  (d) => `ATATT3xFfGF0${d.text(url, 171)}=${d.hex(4).toUpperCase()}`,
  (d) => `lin_api_${d.text(word, 40)}`,
  (d) => `ntn_${d.text(digits, 11)}${d.text(word, 35)}`,
  (d) => `pat${d.text(word, 14)}.${d.hex(32)}`,
  (d) => `figd_${d.text(url, 39)}x`,
  (d) => `sl.u.${d.text(url, 130)}Q`,
  (d) => `NRAK-${d.text(upper, 27)}`,
  (d) => `glsa_${d.text(word, 32)}_${d.hex(4)}`,
  (d) => `sntryu_${d.hex(32)}`,
  (d) =>
    `sntrys_${base64url({ iat: 1.7e9, url: 'https://sentry.io', org: d.text(lower, 6) })}_${d.text(word, 43)}`,
  (d) => `phx_${d.text(word, 43)}`,
  (d) => `dp.pt.${d.text(word, 43)}`,
  (d) => `hvs.${d.text(url, 91)}c`,
  (d) => `${d.text(word, 14)}.atlasv1.${d.text(url, 66)}a`,
  (d) => `pul-${d.hex(20)}`,
  (d) => `PMAK-${d.hex(12)}-${d.hex(17)}`,
  (d) => `sq0csp-${d.text(url, 42)}a`,
  (d) => `tskey-auth-k${d.text(word, 10)}CNTRL-${d.text(word, 32)}`,
  (d) => `ops_${base64url({ signInAddress: 'my.1password.com', userAuth: d.hex(60) })}`,
  (d) => `AKCp${d.text(word, 69)}`,
  (d) => `rubygems_${d.hex(24)}`,
  (d) => `bkua_${d.hex(20)}`,
  (d) => `CFPAT-${d.text(url, 42)}m`,
  (d) => `glc_${base64url({ o: d.text(digits, 6), n: 'agent', k: d.text(word, 24) })}`,
  (d) => `AGE-SECRET-KEY-1${d.text(alphabets.bech32, 58).toUpperCase()}`,
  (d) => `FlyV1 fm2_lJPE${d.text(alphabets.base64, 200)}`,
  (d) => `CCIPAT_${d.text(word, 22)}_${d.hex(20)}`,
  (d) => `fw_${d.text(word, 24)}`,
]

const claims = (draw: Draw) => ({ sub: draw.uuid(), iat: 1.7e9 + draw.integer(9e7), role: 'admin' })

/** Returns a JSON Web Token (RFC 7519) signed with HMAC, RSA or an elliptic curve. */
export function drawToken(draw: Draw): string {
  const [alg, length] = draw.pick([
    ['HS256', 43],
    ['RS256', 342],
    ['ES256', 86],
  ] as const)
  const head = base64url({ alg, typ: 'JWT' })
  return `${head}.${base64url(claims(draw))}.${draw.text(url, length - 1)}A`
}
