import { describe, expect, test } from '@jest/globals';
import { detectLanguage } from '#enrichment/detect-language.ts';
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';

describe('the language of a message', () => {
  test.each([
    ['en', 'Hello, we are looking for a new supplier. Could you please send us your price list?'],
    ['de', 'Guten Tag, wir suchen einen neuen Lieferanten. Können Sie uns bitte ein Angebot schicken?'],
    ['fr', 'Bonjour, nous cherchons un nouveau fournisseur. Pourriez-vous nous envoyer vos tarifs ?'],
    ['es', 'Buenos días, buscamos un nuevo proveedor. ¿Nos pueden enviar su lista de precios?'],
    ['pt', 'Olá, estamos à procura de um novo fornecedor. Você pode nos enviar a sua tabela de preços?'],
    [
      'it',
      'Buongiorno, stiamo cercando un nuovo fornitore. Potete inviarci il vostro listino prezzi? Grazie',
    ],
    ['nl', 'Goedendag, wij zijn op zoek naar een nieuwe leverancier. Kunt u ons uw prijslijst sturen?'],
    ['pl', 'Dzień dobry, szukamy nowego dostawcy. Czy mogą Państwo przesłać nam cennik? Pozdrawiam'],
    ['sv', 'Hej, vi letar efter en ny leverantör. Kan ni skicka er prislista till oss? Tack på förhand'],
    ['ru', 'Здравствуйте, мы ищем нового поставщика. Пришлите, пожалуйста, прайс-лист.'],
    ['uk', 'Добрий день, ми шукаємо нового постачальника. Надішліть, будь ласка, прайс-лист.'],
    ['bg', 'Здравейте, търсим нов доставчик. Можете ли да ни изпратите ценова листа, моля?'],
    ['tr', 'Merhaba, yeni bir tedarikçi arıyoruz. Fiyat listenizi bize gönderir misiniz lütfen?'],
    ['ja', '新しい仕入先を探しております。価格表をお送りいただけますか。'],
    ['zh', '您好，我们正在寻找新的供应商，请发送报价单。'],
    ['ko', '안녕하세요, 새로운 공급업체를 찾고 있습니다. 가격표를 보내 주세요.'],
    ['ar', 'مرحبا، نبحث عن مورد جديد. هل يمكنكم إرسال قائمة الأسعار؟'],
    ['he', 'שלום, אנחנו מחפשים ספק חדש. אפשר לקבל מחירון בבקשה?'],
    ['th', 'สวัสดีครับ เรากำลังหาซัพพลายเออร์รายใหม่ ขอใบเสนอราคาด้วยครับ'],
    ['el', 'Καλησπέρα, ψάχνουμε νέο προμηθευτή. Μπορείτε να μας στείλετε τιμοκατάλογο;'],
    ['hi', 'नमस्ते, हम नए सप्लायर की तलाश में हैं। कृपया हमें कीमत भेजें।'],
    ['de', 'Habe Interesse an Ihrem Produkt SuperWidget 3000 Pro Max und möchte wissen, was das kostet'],
    ['ru', 'Интересует SuperWidget Pro 3000, сколько он стоит и есть ли скидка для юр. лиц?'],
    ['ja', 'iPhone 15 Pro Maxの在庫はありますか？'],
    ['de', 'hallo wir hatten gerne ein angebot fur 20 stuhle, konnen sie uns das bis freitag schicken'],
  ])('%s: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  test.each([
    ['no text', ''],
    ['one word', 'Hallo'],
    ['numbers', '4711 0815 12345678901234567890'],
    ['names of products', 'SuperWidget 3000, MegaWidget Plus, UltraWidget XL'],
    ['random letters', 'sdfg hjkl wert zuio asdf yxcv bnmq'],
    ['a link', 'https://www.example.com/the-and-or-of-to-in-for-is-are/you'],
    ['two languages', 'Hello, could you send the price? Guten Tag, wir suchen ein Angebot für die Firma'],
    ['two scripts', 'Please send the price list to us, пришлите нам пожалуйста прайс лист'],
    ['Persian', 'سلام، ما به دنبال تامین کننده جدید هستیم. لطفا لیست قیمت را بفرستید؟ گروه'],
    ['Belarusian', 'Добры дзень, мы шукаем новага пастаўшчыка, дашліце, калі ласка, цэннік'],
    ['Serbian', 'Добар дан, тражимо новог добављача, можете ли нам послати ценовник'],
    ['Kazakh', 'Сәлеметсіз бе, біз жаңа жеткізуші іздеп жүрміз'],
  ])('%s has none', (_, text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  test('is found in the time that its length allows', () => {
    for (const unit of ['a', 'a ', '@', 'the ', 'ы', '漢', '\u0301', '//']) {
      expect(() => detectLanguage(unit.repeat(100_000))).not.toThrow();
    }
  });
});

test('the fact comes from all fields that hold a text', () => {
  const fields = {
    email: 'ada@analytical.com',
    subject: 'Anfrage',
    message: 'Wir hätten gerne ein Angebot für zwanzig Stühle. Können Sie uns das schicken?',
  };
  const { facts } = gatherFacts(rolesOf(fields), contextOf(fields));
  expect(facts.language).toEqual({ value: 'de', source: 'message' });
  expect(gatherFacts(rolesOf({ email: 'ada@analytical.com' }), {}).facts).not.toHaveProperty('language');
});

test('the fact comes from the field that the form calls the message', () => {
  const fields = {
    email: 'ada@analytical.com',
    q1: 'Do you have the blue ones in stock, and how much are they?',
  };
  const kept = { email: 'email', message: 'q1' };
  expect(gatherFacts(rolesOf(fields, kept), contextOf(fields, kept)).facts.language?.value).toBe('en');
});
