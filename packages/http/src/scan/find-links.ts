import type { Match } from './finding.ts'

/** Finds links that carry away what a reader knows, run code, or lead elsewhere than they show. */
export function findLinks(text: string): readonly Match[] {
  if (!/:/.test(text)) return []
  return [...findBlanks(text), ...findScripts(text), ...findDisguises(text)]
}

/** An address with a query, and the markup of an image before it. */
const addresses =
  /(!\[[^\]\n]{0,200}\]\(\s{0,3}<?|<img\b[^>\n]{0,100}\bsrc\s{0,3}=\s{0,3}["']?|\]:\s{0,3}<?)?https?:\/\/([^\s?#)"'<>\]]{1,300})(\?[^\n"')]{1,400})?/gi

/** A blank to fill in: `{chat}`, `[SUMMARY]`, `<notes>`, `${secret}`, or the same in percent. */
const blanks =
  /(?:\{\{?|\[|<|\$\{|\$\(|%7b|%5b|%3c|__)\s{0,3}([\p{L}\p{N} _.'’%-]{2,60}?)\s{0,3}(?:\}|\]|>|\)|%7d|%5d|%3e|__)/giu

/** Describes what only the reader of a memory knows. */
const known =
  /conversation|chat|histor|prompt|memor|summar|context|secret|password|credential|private|seed|everything|messages?\b|environ|user_?(?:data|info)|knowledge|answer/i

function findBlanks(text: string): readonly Match[] {
  return [...text.matchAll(addresses)].flatMap(
    ({ 0: whole, 1: image, 2: path, 3: query, index }) => {
      const isRequested =
        image === undefined ? hasKnownBlank(query) : hasBlank(query) || hasKnownBlank(path)
      if (!isRequested) return []
      return [{ kind: 'link/exfiltration' as const, start: index, end: index + whole.length }]
    },
  )
}

const hasBlank = (text = ''): boolean => text.search(blanks) !== -1

const hasKnownBlank = (text = ''): boolean =>
  [...text.matchAll(blanks)].some(([, name = '']) => known.test(name))

/** Describes what comes before the address of a link, in Markdown and HTML. */
const before =
  '(?:\\]\\(\\s{0,3}<?\\s{0,3}|\\b(?:href|src|action|formaction|srcdoc|data)\\s{0,3}=\\s{0,3}["\']?\\s{0,3}|^\\s{0,8})'

const scripts = new RegExp(
  [
    `${before}(?:java|vb|live)script:(?!\\s|void\\(0\\)|;|["')])`,
    `(?:${before}|[\\s("'])data:(?:text/(?:html|javascript|xml|vbscript)|application/(?:x-)?(?:javascript|xhtml\\+xml|xml))`,
  ].join('|'),
  'gi',
)

const findScripts = (text: string): readonly Match[] =>
  [...text.matchAll(scripts)].map(({ 0: found, index }) => ({
    kind: 'link/script',
    start: index,
    end: index + found.length,
  }))

const host = '((?:[a-z0-9-]{1,63}\\.){1,5}[a-z]{2,24})'
/** Endings of hosts that are not those of files. */
const ending = /\.(?:com|org|net|gov|edu|io|app|xyz|bank|info|biz|de|fr|es|uk|eu|us|cn|jp|co)$/i
const titled = new RegExp(
  `(?<!!)\\[\\s{0,3}((?:https?:\\/\\/)?(?:www\\.)?)${host}(?:[/:?#][^\\]\\n]{0,200})?\\s{0,3}\\]\\(\\s{0,3}<?https?:\\/\\/([^\\s/?#)>]{1,200})`,
  'gi',
)
/** A host where the name of a user belongs. */
const users = new RegExp(`https?:\\/\\/${host}(?::[^\\s/@]{0,100})?@[a-z0-9.-]{3,200}`, 'gi')

function findDisguises(text: string): readonly Match[] {
  const found = [
    ...[...text.matchAll(titled)].filter(([, scheme, shown = '', target = '']) => {
      const isAddress = scheme !== '' || ending.test(shown)
      return isAddress && siteOf(shown) !== siteOf(target.replace(/:\d+$/, ''))
    }),
    ...[...text.matchAll(users)].filter(([, name = '']) => ending.test(name)),
  ]
  return found.map(({ 0: match, index }) => ({
    kind: 'link/disguised',
    start: index,
    end: index + match.length,
  }))
}

const siteOf = (name: string): string => name.toLowerCase().split('.').slice(-2).join('.')
