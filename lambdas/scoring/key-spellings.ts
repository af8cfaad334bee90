import type { Role } from '../model/lead-fields.ts';

/**
 * What forms call their fields, in many languages. A word matches a whole word of a key (`work_email`, `Email Address`
 * and `emailAddress` all hold the word `email`), or the whole key with its words run together (`fullname`). Words in
 * scripts without blanks, and those that end in `*`, match the beginning of a word or any part.
 * The order is the order of trial: `company name` is a company, `company email` an email.
 */
export const KEY_SPELLINGS: readonly (readonly [Role, string])[] = [
  [
    'email',
    `email emailaddress mail mailaddress workemail youremail useremail contactemail businessemail emailid correo
     correoelectronico courriel mejl epost eposta epostadresse emailadresse mailadresse mel adressemail posta pochta
     メール 邮箱 郵箱 邮件 郵件 電郵 电邮 電子信箱 信箱 이메일 메일 почта почты почту пошта имейл емейл мейл эмейл e-mail
     البريد الايميل الإيميل ايميل بريد אימייל דואל מייל ईमेल मेल อีเมล ηλεκτρονικ* ημειλ imeil poczta sahkoposti`,
  ],
  [
    'phone',
    `phone phonenumber phoneno telephone tel telefon telefono telefone telefonnummer telefoon telefoonnummer mobile
     mobil mobilnummer mobiltelefon cell cellphone cellulaire celular cel handy handynummer rufnummer portable gsm movil
     movel telepon notelp nohp handphone nomorhp whatsapp wa sdt sodienthoai dienthoai dthoai fono fon fone tlf tlfn
     puhelin numer numertelefonu komorka contactnumber contactno call mobilephone mobileno hpno cep ceptelefonu
     電話 电话 手机 手機 携帯 연락처 전화 휴대폰 핸드폰 телефон* тел моб мобильн* номер телефону
     الهاتف هاتف الجوال جوال موبايل تلفون טלפון נייד סלולר* फोन फ़ोन मोबाइल โทร* เบอร์* τηλεφων* κινητο`,
  ],
  [
    'website',
    `website url webseite web site siteweb sitioweb homepage domain webpage internetseite pagina paginaweb sajt strona
     stronawww www websitus 网站 網站 网址 網址 ホームページ サイト 홈페이지 웹사이트 сайт сайту веб אתר الموقع موقع वेबसाइट เว็บไซต์
     ιστοσελιδα webovka`,
  ],
  [
    'company',
    `company companyname organisation organization org business businessname employer firm firma firmenname unternehmen
     betrieb entreprise societe societa azienda ditta empresa compania companhia razonsocial razaosocial bedrijf
     bedrijfsnaam spolka przedsiebiorstwo spolecnost firmy nazwafirmy foretag foretagsnamn virksomhed bedrift yritys
     sirket sirketadi kurum perusahaan instansi congty doanhnghiep account institution school
     公司 企业 企業 会社 會社 御社 貴社 회사 업체 기업 компания компании организация компанія організація фирма фірма
     الشركة شركة المؤسسة חברה ארגון कंपनी संस्था บริษัท εταιρ* επιχειρηση`,
  ],
  [
    'firstName',
    `firstname fname givenname forename vorname prenom nombres primernombre primeironome voornaam imie jmeno fornamn
     fornavn etunimi ad isim namadepan ten givennames first keresztnev prenume имя ім'я`,
  ],
  [
    'lastName',
    `lastname lname surname familyname nachname familienname zuname nomdefamille apellido apellidos sobrenome cognome
     achternaam nazwisko prijmeni efternamn etternavn efternavn sukunimi soyad soyadi soyisim namabelakang last ho
     vezeteknev фамилия прізвище 姓氏`,
  ],
  [
    'name',
    `name fullname yourname contactname contactperson contact person customername clientname nom nomcomplet nombre
     nombrecompleto nombreyapellido nome nomecompleto naam volledigenaam ansprechpartner kontaktperson namn navn nimi
     nama namalengkap adsoyad adisoyadi isimsoyisim hoten hovaten tenkhachhang imieinazwisko jmenoaprijmeni nev sender
     姓名 名字 称呼 稱呼 氏名 名前 お名前 ご担当者 이름 성함 성명 담당자 имя имени фио ім'я піб контакт שם שם מלא
     الاسم اسم नाम ชื่อ ονομα* ονοματεπωνυμο nomor nama`,
  ],
  [
    'country',
    `country countrycode land pays pais paese kraj zeme maa ulke negara quocgia nation staat riik orszag tara
     国家 國家 国 국가 страна країна البلد الدولة דולה מדינה ארץ देश ประเทศ χωρα`,
  ],
  [
    'message',
    `message yourmessage messages comments comment msg enquiry inquiry question questions description details note notes
     body text content feedback request project howcanwehelp subject nachricht anliegen anfrage mitteilung bemerkung
     kommentar frage betreff commentaires commentaire demande mensaje comentario comentarios consulta pregunta mensagem
     msgem duvida messaggio richiesta domanda bericht opmerking vraag toelichting wiadomosc tresc pytanie uwagi zprava
     dotaz poznamka meddelande arende meddelelse besked viesti mesaj mesajiniz soru not aciklama pesan pertanyaan
     keterangan noidung loinhan cauhoi tinnhan ghichu uzenet mesajul
     内容 內容 留言 消息 訊息 信息 备注 備註 咨询 諮詢 問題 问题 需求 メッセージ お問い合わせ 問い合わせ 本文 ご質問 ご要望 備考
     문의 내용 메시지 질문 요청 сообщение комментар* вопрос текст повідомлення коментар запитання питання
     الرسالة رسالة سؤال استفسار ملاحظات הודעה תוכן פנייה שאלה संदेश सवाल प्रश्न विवरण ข้อความ คำถาม รายละเอียด μηνυμα
     ερωτηση σχολια`,
  ],
];

/** A key with one of these words is about the page, the campaign or the form, not about the person. */
export const NOT_ABOUT_THE_PERSON = new Set(
  (
    'utm page referrer referer referral landing campaign adset ad adgroup form source medium gclid fbclid user agent ip ' +
    'session token captcha event product file list consent optin redirect callback browser device language locale host ' +
    'tracking debug timestamp timezone created submitted id uuid avatar image photo'
  ).split(' '),
);

/** Fields that people do not see: whatever fills them is a program. Compared with the key's words run together. */
export const HONEYPOT_KEYS = new Set(
  (
    'hp honeypot honey honeypotfield honigtopf gotcha website2 website3 url2 urlconfirm websiteconfirm leaveblank ' +
    'leaveempty leavethisblank leavethisempty leavethisfieldblank leavethisfieldempty botfield botcheck bot bottrap ' +
    'isbot areyouabot nobot nobots norobots robot trap spamtrap donotfill donotfillthis dontfill dontfillthis ' +
    'donotfillin dontfillin nofill antispam spamcheck spamprotection hiddenfield hiddeninput phantom ghost ' +
    'contactmebyfax contactmebyfaxonly ohnohoney faxonly winnie beehive decoy leerlassen bitteleerlassen ' +
    'nichtausfullen laisservide nepasremplir pieg pottedemiel nollenar norellenar dejarvacio deixarvazio ' +
    'naopreencher lasciarevuoto noncompilare nietinvullen leeglaten niewypelniac nevyplnujte fyllintei ' +
    'nezapolnyat fillmenot emailhidden ' +
    'yourwebsite2 homepage2 secondarywebsite url3'
  ).split(' '),
);

/** A key is also a honeypot if it has one of these words. */
export const HONEYPOT_WORDS = new Set([
  'honeypot',
  'hp',
  'gotcha',
  'honey',
  'honigtopf',
  'bottrap',
  'spamtrap',
]);
