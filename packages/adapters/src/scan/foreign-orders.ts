import type { FindingKind } from './finding.ts'
import type { InstructionPattern } from './instruction-patterns.ts'

type Order = readonly [starts: string, rest: string]

const some = (most: number) => `[^.!?。！？]{0,${most}}`
const place = '(?:https?:|[\\w.+-]{1,64}@[\\w-])'

/** Verb, what only the reader knows, and an address. */
const giving = (starts: string, known: string): Order => [
  starts,
  `${some(60)}(?:${known})${some(60)}${place}`,
]

/** Orders to hide something from the user. */
const secrecies: readonly Order[] = [
  [
    'sag|erzahl|verrat|erwahn|informier',
    `e?(?:n sie)?${some(30)} (?:dem|den|der|deinem) (?:be)?(?:nutzer|anwender)(?:in)?${some(20)} (?:nichts|kein wort|nicht|niemals)\\b`,
  ],
  [
    "n'en|ne",
    ` (?:(?:lui|en) )?(?:parle|dis|dites|mentionne|informe|revele|previen)[a-z]{0,2}${some(30)}\\bl'utilisat`,
  ],
  [
    'no le dig|no dig|no inform|no mencion|no revel|no avis|no cuent',
    `[a-z]{1,4}${some(40)}\\b(?:al|a la|a tu|a su) usuari`,
  ],
  ['不要|不得|切勿|别', `${some(2)}(?:告诉|告知|透露给)${some(4)}(?:用户|使用者)`],
  ['не говори|не сообщай|не рассказывай|не упоминай|не информируй', `${some(20)}пользовател`],
  ['لا تخبر|لا تقل|لا تبلغ', `${some(12)}المستخدم`],
]

/** Orders to be a model without rules, and to drop one's instructions in short. */
const overrides: readonly Order[] = [
  [
    'du bist|sie sind|verhalte dich',
    `${some(20)} (?:ab jetzt|ab sofort|von nun an|nun|jetzt)${some(40)} (?:ohne|keine)${some(12)} (?:regeln|grenzen|einschrankungen|beschrankungen|filter|vorgaben)`,
  ],
  [
    'vergiss|ignorier',
    `e? (?:alles (?:bisherige|vorherige|davor|oben)|deine (?:anweisung|regel|vorgabe))`,
  ],
  [
    'tu es|vous etes|agis|agissez',
    `${some(60)} sans (?:aucune? )?(?:restriction|limite|filtre|regle|contrainte)`,
  ],
  [
    'oubli|ignor',
    `e[rz]? (?:tout )?(?:ce qui precede|(?:tes|vos) (?:consignes|instructions|regles|directives))`,
  ],
  ['eres|actua', `s?${some(60)} sin (?:ningun[ao]? )?(?:restriccion|filtro|limite|regla)`],
  ['olvid|ignor', `[ae] (?:todo lo anterior|tus (?:instrucciones|reglas))`],
  [
    '你现在|现在你|从现在起|从现在开始',
    `${some(12)}(?:没有任何限制|没有限制|不受约束|不受限制|无限制)`,
  ],
  [
    'теперь ты|ты теперь|отныне ты',
    `${some(40)} без ${some(12)}(?:ограничен|правил|фильтр|цензур)`,
  ],
  ['أنت الآن|انت الآن|من الآن', `${some(40)}(?:بلا|بدون|دون) (?:أي )?(?:قيود|قواعد|حدود)`],
]

/** Orders to send what only the reader knows to an address. */
const exfiltrations: readonly Order[] = [
  giving('send|schick|ubermitt|leite', 'passw|schlussel|zugangsdaten|geheimnis|verlauf'),
  giving('envoie|envoyez|transmet', 'mots? de passe|cles? |conversation|identifiants|secrets'),
  giving('envia|manda|transmite|reenvia', 'contrasen|claves? |credencial|conversacion|secretos'),
  giving('把|将|发送|上传', '密码|私钥|密钥|助记词|凭证|对话记录'),
  giving('отправь|перешли|пошли|передай', 'парол|ключ|переписк|секрет'),
  giving('أرسل|ارسل|شارك', 'كلمات المرور|كلمة المرور|المفاتيح|المحادثة|الأسرار'),
]

const patternsOf = (kind: FindingKind, orders: readonly Order[]): InstructionPattern[] =>
  orders.map(([starts, rest]) => ({ kind, starts, rest }))

/** Orders in German, French, Spanish, Chinese, Russian and Arabic to the reader of a text. */
export const foreignOrders: readonly InstructionPattern[] = [
  ...patternsOf('instruction/secrecy', secrecies),
  ...patternsOf('instruction/override', overrides),
  ...patternsOf('instruction/exfiltration', exfiltrations),
]
