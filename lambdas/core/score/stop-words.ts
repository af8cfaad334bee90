import { FoldedSet } from './folded-set.ts';

/** Small words of the languages that are written with Latin letters: a text of a dozen words has some of them. */
const WORDS = `
  the a an and or of to in for is are you we i it on with do does can be have has your my our this that how much what please need
  hi hello hey thanks thank not no yes from at as by so if but me us about any would could price like want am will there when where
  der die das und oder ist sind ein eine einen fur mit von zu wir ich sie bitte den dem im am auf nicht kein haben hat wie was auch
  bei noch nach ihre ihr uns mir guten hallo danke um ab
  le la les un une des et ou est sont de du pour avec nous je vous en dans sur que qui pas bonjour merci au aux ce cette il y prix
  el los las una y o es son por para con nosotros yo usted de del en que no hola gracias se su mi al lo como buenas buenos quiero
  os as um uma e sao com para nos voce em no na que nao ola obrigado quanto da do dos das se por vcs pra meu
  il lo gli uno una ed sono per con noi di del della in che non ciao grazie buongiorno vorrei al un si ci mi ho quanto
  het een en of is zijn voor met van wij we ik u in dat niet graag kunt bedankt te op er naar wat hoe ook aan
  i w z na do nie jest sa dla to ze o czy prosze dzien dobry ile jak po od mam sie
  a v je na se s pro ze to dobry den prosim jak kolik mate za by jsem
  och att en ett ar som for med det vi jag har inte hej pa av till kan ni vad hur finns den
  og er det pa til vi jeg har ikke hvad hva koster kan
  ja on ei se etta onko voi paljonko
  istiyoruz istiyorum miyiz misiniz musunuz alabilir olarak cok daha biz ben siz ve bir bu icin ile mi mu var ne kadar merhaba da de lutfen misiniz
  dan yang di ke dari untuk dengan ini itu saya kami ada tidak apakah berapa bisa mau mohon ya harga
  va la co khong cho toi em anh chi ban cua duoc bao nhieu ben con xin chao gia
  es un az nem van hogy kerem si este sunt cu pe nu va rog buna
  hai aur ka ki ke ko se me mein mujhe sir ji kya kitna kitni
  ang ng sa po ba ko ako magkano na at
  na ya kwa ni wa je habari
`;
const words = new FoldedSet(WORDS);

export const isStopWord = (folded: string): boolean => words.has(folded);
