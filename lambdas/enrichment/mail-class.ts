import { getPublicSuffix } from 'tldts';
import { classifyEmail } from '../scoring/classify-email.ts';
import type { EmailParts } from './contact-facts.ts';

export type MailClass = 'company' | 'free' | 'disposable' | 'role' | 'education' | 'internet-provider';

/**
 * Uses the same lists as the score, so that the two agree. Disposable comes before all others; a role is reported only
 * at a company's domain.
 */
export function classifyMail({ local, host, registrable }: EmailParts): MailClass {
  const { disposable, freeMail, roleAccount } = classifyEmail(`${local}@${host}`);
  if (disposable) return 'disposable';
  if (INTERNET_PROVIDERS.has(host) || INTERNET_PROVIDERS.has(registrable)) return 'internet-provider';
  if (isEducation(host, registrable)) return 'education';
  const free = freeMail || classifyEmail(`${local}@${registrable}`).freeMail;
  if (free && !LISTED_WRONGLY.has(registrable)) return 'free';
  return roleAccount ? 'role' : 'company';
}

/** Whether the domain belongs to the organisation that the person works for. */
export const isCompanyMail = (mailClass: MailClass): boolean =>
  mailClass === 'company' || mailClass === 'role';

/** Companies that the list of free providers names too: people there write from work. */
const LISTED_WRONGLY = new Set(
  'alibaba.com ancestry.com aver.com bolt.com discovery.com dnsmadeeasy.com easypost.com facebook.com medscape.com oath.com parrot.com saudia.com singpost.com techspot.com'.split(
    ' ',
  ),
);

/** Kept for schools and universities by the registries: `.edu`, `.ac.uk`, `.k12.ca.us`. */
const EDUCATION_SUFFIX =
  /(?:^|\.)(?:edu(?:\.[a-z]{2})?|(?:ac|sch|k12|school)\.[a-z]{2}|k12\.[a-z]{2}\.us|ed\.(?:jp|cr|ao|ci))$/;

/** How universities name themselves in countries without such an ending. */
const EDUCATION_NAME =
  /^(?:(?:uni|tu)-[a-z-]+\.de|univ-[a-z\d-]+\.fr|[a-z-]*(?:hochschule|universitaet)[a-z-]*\.(?:de|at|ch|com))$/;

/** Well-known universities under other endings. */
const EDUCATION = new Set(
  `fu-berlin.de hu-berlin.de rwth-aachen.de tum.de lmu.de fau.de hs-mannheim.de th-koeln.de fh-aachen.de rptu.de tuhh.de
  ethz.ch epfl.ch uzh.ch unibe.ch unibas.ch unige.ch unil.ch unisg.ch usi.ch zhaw.ch univie.at uni.lu
  u-bordeaux.fr u-paris.fr u-psud.fr u-pec.fr u-bourgogne.fr u-picardie.fr ens.fr sciencespo.fr sorbonne-universite.fr universite-paris-saclay.fr uphf.fr unistra.fr umontpellier.fr insa-lyon.fr
  unibo.it unimi.it polimi.it polito.it unipd.it uniroma1.it uniroma2.it uniroma3.it unito.it unina.it unifi.it unipi.it
  unige.it unibocconi.it luiss.it unict.it unipa.it univr.it unive.it unitn.it unipv.it unicatt.it unibs.it
  uva.nl vu.nl uu.nl rug.nl tudelft.nl tue.nl utwente.nl ru.nl leidenuniv.nl maastrichtuniversity.nl wur.nl eur.nl
  kuleuven.be ugent.be ulb.be uclouvain.be vub.be uantwerpen.be uliege.be ku.dk au.dk dtu.dk aau.dk sdu.dk cbs.dk ruc.dk
  uio.no ntnu.no uib.no uit.no kth.se lu.se uu.se su.se ki.se gu.se liu.se chalmers.se umu.se helsinki.fi aalto.fi tuni.fi
  oulu.fi utu.fi jyu.fi ucm.es uam.es upm.es uv.es us.es ugr.es upv.es unizar.es usal.es unican.es uned.es uc3m.es usc.es
  ehu.eus ulisboa.pt up.pt uc.pt uminho.pt cuni.cz cvut.cz muni.cz vutbr.cz elte.hu bme.hu tcd.ie ucd.ie dcu.ie ucc.ie
  utoronto.ca ubc.ca mcgill.ca uwaterloo.ca ualberta.ca ucalgary.ca queensu.ca mcmaster.ca yorku.ca sfu.ca umontreal.ca
  ulaval.ca uottawa.ca dal.ca uvic.ca uwo.ca usp.br unicamp.br ufrj.br ufmg.br ufrgs.br unesp.br ufsc.br unb.br ufpr.br
  puc-rio.br unam.mx ipn.mx tec.mx itesm.mx uchile.cl puc.cl uc.cl usach.cl udec.cl msu.ru spbu.ru hse.ru`.split(
    /\s+/,
  ),
);

/** Free mail under an ending that is for education. */
const NO_EDUCATION = new Set(['australia.edu', 'england.edu', 'dwse.edu.pl', 'itsme.edu.pl']);

function isEducation(host: string, registrable: string): boolean {
  if (NO_EDUCATION.has(registrable)) return false;
  return (
    EDUCATION_SUFFIX.test(getPublicSuffix(host) ?? '') ||
    EDUCATION_NAME.test(registrable) ||
    EDUCATION.has(registrable)
  );
}

/** Whose customers get a mailbox with their line, at home more often than at work. */
const INTERNET_PROVIDERS = new Set(
  `t-online.de arcor.de kabelmail.de netcologne.de ewetel.net ewe.net mnet-online.de mnet-mail.de swbmail.de unitybox.de
  vodafone.de vodafonemail.de versanet.de alice.de alice-dsl.net alice-dsl.de o2online.de o2mail.de unity-mail.de htp-tel.de osnanet.de
  aon.at chello.at utanet.at inode.at kabsi.at liwest.at drei.at bluewin.ch hispeed.ch sunrise.ch swissonline.ch quickline.ch
  orange.fr wanadoo.fr free.fr sfr.fr neuf.fr bbox.fr numericable.fr noos.fr club-internet.fr aliceadsl.fr cegetel.net
  9online.fr libertysurf.fr tele2.fr nordnet.fr
  btinternet.com btopenworld.com talk21.com virginmedia.com virgin.net ntlworld.com blueyonder.co.uk sky.com talktalk.net
  tiscali.co.uk plus.com plusnet.com zen.co.uk eclipse.co.uk orange.net freeserve.co.uk madasafish.com eircom.net
  libero.it virgilio.it tin.it alice.it tiscali.it tim.it fastwebnet.it inwind.it iol.it teletu.it aliceposta.it
  telefonica.net movistar.es ono.com jazzfree.com wanadoo.es euskaltel.net r.es orange.es ya.com sapo.pt netcabo.pt clix.pt
  ziggo.nl kpnmail.nl kpnplanet.nl planet.nl xs4all.nl home.nl hetnet.nl chello.nl casema.nl upcmail.nl quicknet.nl
  telfort.nl caiway.nl zeelandnet.nl online.nl solcon.nl telenet.be skynet.be proximus.be pandora.be voo.be scarlet.be
  base.be telia.com tele2.se bredband.net comhem.se bahnhof.se online.no getmail.no broadpark.no tdcadsl.dk stofanet.dk
  youmail.dk webspeed.dk elisanet.fi kolumbus.fi saunalahti.fi pp.inet.fi inet.fi dnainternet.net
  neostrada.pl vectra.pl toya.net.pl upcpoczta.pl volny.cz o2active.cz t-email.hu upcmail.hu otenet.gr forthnet.gr hol.gr
  superonline.com ttmail.com turk.net ttnet.net.tr netvision.net.il bezeqint.net 013.net zahav.net.il
  comcast.net xfinity.com verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net swbell.net cox.net
  charter.net spectrum.net roadrunner.com rr.com twc.com brighthouse.com optonline.net optimum.net suddenlink.net
  centurylink.net centurytel.net embarqmail.com q.com qwest.net frontier.com frontiernet.net windstream.net earthlink.net
  mindspring.com netzero.net juno.com mediacombb.net tds.net wowway.com cableone.net hughes.net rcn.com
  rogers.com bell.net sympatico.ca shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net teksavvy.com
  bigpond.com bigpond.net.au optusnet.com.au optushome.com.au iinet.net.au tpg.com.au internode.on.net westnet.com.au
  dodo.com.au ozemail.com.au adam.com.au xtra.co.nz slingshot.co.nz orcon.net.nz clear.net.nz vodafone.co.nz
  terra.com.br ig.com.br oi.com.br velox.com.br prodigy.net.mx telmexmail.com speedy.com.ar fibertel.com.ar arnet.com.ar
  vtr.net entelchile.net cantv.net une.net.co etb.net.co
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp biglobe.ne.jp nifty.com ocn.ne.jp so-net.ne.jp plala.or.jp
  dion.ne.jp au.com eonet.ne.jp hinet.net seed.net.tw singnet.com.sg starhub.net.sg streamyx.com tm.net.my unifi.com.my
  netvigator.com pldt.net bsnl.in airtelmail.in telkomsa.net mweb.co.za vodamail.co.za`.split(/\s+/),
);
