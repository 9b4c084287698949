/** The forms of English words that no rule leads back to the word, each row after its word. */
const rows = `
arise arose arisen; beat beaten; become became; begin began begun; bind bound; bite bit bitten;
blow blew blown; break broke broken; bring brought; build built; buy bought; catch caught;
choose chose chosen; come came; deal dealt; dig dug; draw drew drawn; drink drank drunk;
drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found;
fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard;
hide hid hidden; hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent;
lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung;
rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
shake shook shaken; shine shone; shoot shot; show shown; sing sang sung; sink sank sunk; sit sat;
sleep slept; speak spoke spoken; spend spent; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; sweep swept; swim swam swum; take took taken; teach taught;
tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; win won; write wrote written;
child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; goose geese;
wife wives; life lives; knife knives; leaf leaves; half halves; shelf shelves`

/** The word of each such form. */
export const englishForms: ReadonlyMap<string, string> = new Map(
  rows.split(';').flatMap((row) => {
    const [word = '', ...forms] = row.trim().split(' ')
    return forms.map((form) => [form, word] as const)
  }),
)
