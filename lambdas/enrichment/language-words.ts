/** Small words of each language, without accents. Those of several languages count less. */
export const LATIN_WORDS: Readonly<Record<string, string>> = {
  en: `the and or of to in for is are was were you we i it on with do does did can could would be been have has had your my our
    this that these those how much what which when where who please need hi hello hey thanks thank not no yes from at as by so
    if but me us about any like want am will there they their its just some if than then also into out up get got know let
    looking send sent order price available regards`,
  de: `der die das und oder ist sind war ein eine einen einem einer fur mit von vom zu zum zur wir ich sie er es bitte den dem des
    im am auf nicht kein keine haben hat habe hatte wie was wann wo auch bei noch nach ihre ihr ihren ihnen uns mir mich guten
    hallo danke um ab als aber nur schon sehr konnen konnte wurde wurden werden wird gibt uber dass wenn da seit mein meine
    unser unsere gerne grusse tag gru ob bis aus an so man`,
  fr: `le la les un une des et ou est sont etait de du pour avec nous je vous il elle en dans sur que qui pas bonjour merci au aux
    ce cette ces son sa ses mon ma mes notre votre vos nos plus bien tres comme mais si y a ai avez avons ont etes suis serait
    pourriez pouvez voudrais cordialement par ne se d'un d'une c'est j'ai qu'il depuis chez faire fait`,
  es: `el la los las un una unos y o es son era por para con nosotros yo usted ustedes de del en que no hola gracias se su sus mi
    mis al lo como buenas buenos dias quiero quisiera muy mas pero si me nos les le esta estan estoy este esta tengo tiene
    tienen hay puede pueden cuando donde cual cuanto saludos desde hasta sobre ya hace necesito sin favor porfa tu tus hoy
    antes todo todos fue ser soy somos pedido precio envio hacer tenemos cuesta otro otra`,
  pt: `o os as um uma e sao com para nos voce voces em no na nos nas que nao ola obrigado obrigada quanto da do dos das se por pelo
    pela meu minha seu sua eu tenho tem estou esta muito mais mas ou ao aos bom boa dia tarde gostaria queria quero preciso
    isso este esse como ja foi ate voces fazer favor deve vcs vc pra sem pelos qual so quanto meus temos precisamos voce preco`,
  it: `il lo la gli le un uno una e ed o sono e' per con noi di del della dei delle dello in nel nella che non ciao grazie
    buongiorno salve vorrei vorremmo al alla alle dal dalla si ci mi ho ha abbiamo avete hanno quanto questo questa piu anche ma
    come sul sulla vostro vostra vostri nostro nostra mio mia molto saluti cordiali se da su possibile sarebbe siete senza solo
    ora oggi tuo tua suo sua stato stata fatto scusate nessun nessuna prezzo ogni`,
  nl: `de het een en of is zijn was voor met van wij we ik u jullie in dat die niet graag kunt kan bedankt te op er naar wat hoe ook
    aan om bij dit deze heb heeft hebben mijn onze ons uw als maar nog meer kunnen willen wil zou zouden geen groet groeten
    goedemiddag goedendag hallo dank alvast uit tot over al worden wordt`,
  pl: `i w z na do nie jest sa dla to ze o czy prosze dzien dobry ile jak po od mam sie za co tylko przez oraz lub ale bardzo moze
    mozna chcialbym chcialabym pozdrawiam witam mnie nas nam pan pani panstwo mamy byl byla bylo bez przy jako juz moj ich
    ktory ktora ktore tym tego jestem`,
  sv: `och att en ett ar som for med det vi jag har inte hej pa av till kan ni vad hur finns den om er era de eller fran skulle vill
    var vara blir nar mvh halsningar tack jag min mitt vart oss du dig mig sa men ocksa mycket under efter vid detta denna ska`,
  da: `og at en et er som for med det vi jeg har ikke hej pa af til kan i hvad hvor den om jer jeres eller fra vil skal hvordan
    mvh hilsen tak min mit vores os du dig mig sa men ogsa meget efter ved dette denne nar blev`,
  no: `og at en et er som for med det vi jeg har ikke hei pa av til kan dere hva hvor den om deres eller fra vil skal hvordan mvh
    hilsen takk min mitt var oss du deg meg sa men ogsa mye etter ved dette denne nar ble noe`,
  fi: `ja on ei se etta onko voi ovat oli mutta kun niin myos kuin tai olen olemme han me te minun meidan hei kiitos terveisin paljonko
    haluaisin haluan joka mika miten milloin jos nyt viela vain teidan ole`,
  cs: `a v je na se s z pro ze to dobry den prosim jak kolik mate za by jsem jsme jste nebo ale ktery ktera ktere nas nam vas vam
    jsou byl byla bylo dekuji pozdravem chtel chtela mam o do od po pri jako uz aby tak`,
  hu: `a az es egy nem van hogy kerem is de meg ha mar csak vagy nagyon mi en ez azt ezt lehet szeretnek szeretnenk koszonom
    udvozlettel tisztelt jo napot mennyi mikor`,
  ro: `si este sunt cu pe nu va rog buna un o de la in din pentru ca care sa se ce mai dar am ati avem as dori multumesc ziua cat
    cum unde acest aceasta`,
  ca: `el la els les un una i o es son per amb nosaltres jo de del dels en que no hola gracies si us plau bon bona dia voldria vull
    molt mes pero al com som tinc aquest aquesta seu seva meu meva hem heu fer quan`,
  af: `die en of is vir met van ons ek u in dat nie graag kan dankie te op daar na wat hoe ook aan het sal my jou asseblief moet
    hierdie om groete`,
  sk: `a v je na sa s z pre ze to dobry den prosim ako kolko mate by som sme ste alebo ale ktory ktora nas vas vam dakujem
    pozdravom chcel chcela mam o do od po pri uz aby tak su`,
  hr: `i u je na se za da li su ne s od koji koja kako koliko mozete molim hvala dobar dan pozdrav zelim smo sam ili ali nam vam
    bi bih kod ima`,
  tr: `ve bir bu icin ile mi mu var ne kadar merhaba da de lutfen misiniz cok daha biz ben siz olarak istiyorum istiyoruz ama gibi
    en o ya ki degil sizin bizim bize size rica ederim tesekkurler tesekkur selamlar iyi gunler nasil olan oldu hakkinda
    musunuz miyiz sonra once`,
  id: `dan yang di ke dari untuk dengan ini itu saya kami ada tidak apakah berapa bisa mau mohon ya harga anda kita akan sudah juga
    atau pada jika terima kasih selamat`,
  vi: `va la co khong cho toi em anh chi ban cua duoc bao nhieu ben con xin chao gia cac voi mot nay cam on minh nguoi`,
};

/** Letters that tell a language from its neighbours, once each. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  de: 'ßäöü',
  fr: 'çèêœà',
  es: 'ñ¿¡óíá',
  pt: 'ãõçêóíá',
  it: 'ìòù',
  pl: 'łąężźśń',
  sv: 'åäö',
  da: 'åæø',
  no: 'åæø',
  fi: 'äö',
  cs: 'řůě',
  hu: 'őű',
  sk: 'ľĺŕôä',
  ca: 'çàèòï',
  ro: 'țșăţ',
  tr: 'ğışü',
  vi: 'đơưạảấầậếệộớợịụữ',
};

export const CYRILLIC_WORDS: Readonly<Record<string, string>> = {
  ru: `и в не на что с как это по но из у за от для вы мы я вас нам нас мне меня ваш ваша наш есть можно нужно добрый день
    здравствуйте пожалуйста сколько или уже если бы до при так его ее их был была было спасибо хотел хотим какие когда где
    стоит привет подскажите кто там только делаете нет тут мой мои все еще очень`,
  uk: `і в не на що з як це по але із у за від для ви ми я вас нам нас мені мене ваш ваша наш є можна потрібно добрий день вітаю
    будь ласка скільки або вже якщо би до при так його її їх був була було дякую хотів хочемо які коли де та`,
  bg: `и в не на че с как това по но от за вие ние аз ви ни ми е са съм има може ли добър ден здравейте моля колко или вече ако
    да до при така го я ги беше благодаря искам какви кога къде се ще`,
};
