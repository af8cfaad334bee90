/**
 * How unsolicited sellers write. 4 is said by nobody else; 2 adds up; 1 is a word that buyers use too. What makes spam
 * is the offer, not the subject: a casino's auditor asks, a casino's advertiser promises.
 */
export const OFFERS = `
  4 google's 1st page|on autopilot|dofollow|do follow link*|guest post*|sponsored post*|sponsored article*|link insertion*|contribute a .. article
  2 not ranking|our packages|link exchange*|opt out
  1 your contact form|unsubscribe
  4 instagram followers|real followers|verified emails|attendee list|team of .. developers|team of .. designers
  2 explainer video*
  4 need an urgent loan|urgent loan|no collateral|no credit check|bad credit ok|pre approved|funds in 24|next of kin|million usd|you have been selected|claim before
  2 business loan|loan at|loans from|loans at|loan .. interest rate|bad credit|working capital|beneficiary
  4 send .. btc
  4 free spins|kamagra|no prescription|without prescription|buy .. without prescription|1 1 mirror|private photos|your domain .. expire|my images .. your website
  2 jackpot|viagra|domain expir*
  2 i was going through your website|going through your website|loved your article|enjoyed your article|hope this finds you|dear purchasing manager|dear sir or madam we|dear owner|dear manager|dear friend|hello dear|would you be interested|would you be open|would love to contribute|i'd love to contribute|or you don't pay|we helped|i help|we can place|we can send|we can offer|we can redesign|i can get you|may i share|may i send|can i send you|shall i send|should i send|could i send you|i can send you|my calendar|our portfolio|lowest price*|apply now|today only|use code
  1 we help|free demo|free sample*|discount code|coupon
  2 we offer|we provide|we are manufacturer*|we are factory|we are a team of|our agency|freelance writer|ppc|glad to know you
  1 moq
  1 backlink*|instant delivery|bulk orders|free shipping worldwide|worldwide shipping|risk free|no obligation|no card|free trial|roi|your competitors|your website is|your business has|my client|bonus|winner|congratulations|prize|gift card|reply yes|reply with|just reply|if interested|seo|web design|mobile app|casino*|betting|forex|crypto*|bitcoin|btc|usdt|telegram|replica*|loan|loans|pills|subscribers|backlinks
`;

/** The same in other languages. */
export const OFFERS_ELSEWHERE = `
  4 ohne rezept|ohne schufa|online casino*|freispiele
  2 darlehen von
  2 darf ich ihnen|durfen wir ihnen|darf ich sie|nur heute|ab .. € monat|diskret|offshore
  1 bei interesse|unverbindlich|im monat|whatsapp
  4 audit gratuit|article invite|des prets de|tours gratuits
  2 prets de
  2 je vous propose|je propose|puis je vous
  1 sans engagement|par mois|partenariat
  4 sin aval|giros gratis|sin deposito|bono de bienvenida
  2 prestamos de
  2 ofrecemos|le ofrecemos|le llamo|registrate
  1 vuestra web|sin compromiso|gratis|al mes|por whatsapp
  4 plataforma nova|pagando muito|grupo vip
  2 posso enviar|sem compromisso
  1 por mes
  4 giri gratis
  2 prestiti da
  2 offriamo|posso inviar*
  1 il vostro sito|senza impegno|al mese|partnership
  2 google reviews
  1 online casino
  1 zal ik|vrijblijvend|per maand
  2 czy moge przeslac|moge przeslac|bez zobowiazan
  1 miesiecznie|outsourcing|wspolprac*
  4 в топ|топ 10|фриспин*|мои фото
  2 подписчик*
  2 предлагаем|пишите в|оплата после
  1 ваш сайт|скидк*|телеграм*
  4 просування сайт*|просуванн*|виведемо*|першу сторінку|збільшимо продаж*|збільшити продаж*|потік клієнтів|бази підприємств|база компаній|безкоштовний аудит|аудит безкоштовн*|обмін посиланнями|гроші в борг|фріспін*|заробіток|заробляй*|пасивний дохід|віагр*|купити відгуки|купити диплом|репліки|ескорт|виграли|відписатися
  2 більше клієнтів|бази даних|розсилк*|позик*|підписник*|знайомств*
  2 пропонуємо|пропоную|допоможемо|наші послуги|ми займаємось|ми спеціалізуємося|відвідав ваш|побачив ваш|чи цікаво|вам цікаво|якщо цікаво|якщо вас зацікав*|найкраща ціна|найкращі ціни|вигідн*|всього за|лише .. грн|продаємо|продам|гарантуємо|гарантія результат*|переходь*|розробка сайтів
  1 наша компанія|вашого сайту|знижк*|створення сайтів|співпрац*
  2 takipci*
  2 sunuyoruz|sitenizi inceledim
  1 indirim|garantili|is birligi
  4 代开*|增值税|上首页|不上首页|放款
  1 发票
  2 专业生产|加微信|需要请|贵司网站|老板您好
  1 微信
  4 突然のご連絡|当選
  2 融資|配信停止
  2 貴社サイト|サイトを拝見|15分ほど
  1 拝見し|ご興味|無料で|初期費用|月額|限定
  4 상위노출|상위 노출|1페이지|검색 상위|네이버 상위|블로그 체험단|마케팅 대행|광고 대행|바이럴|홍보 대행|db 판매|디비 판매|디비판매|고객 db|기업 db|이메일 db|대량 발송|대량발송|백링크|대출 가능|대출가능|무담보|저금리|당일대출|당일 대출|신용불량|무직자|급전|카지노|바카라|토토사이트|먹튀|꽁머니|첫충|가입머니|고수익|부업|재테크|수익 보장|수익보장|원금 보장|원금보장|리딩방|무료 리딩|급등주|코인 투자|코인투자|비아그라|시알리스|레플리카|미러급|명품 레플|짝퉁|출장안마|출장마사지|조건만남|좋아요 늘|구독자 늘|리뷰 작업|영수증 리뷰|후기 작업|당첨
  2 토토|슬롯|팔로워|수신거부|수신 거부
  2 제공합니다|제공해드|제공해 드|도와드립니다|도와드리|저희 회사는|저희는 .. 전문|전문 업체|전문업체|귀사의 홈페이지를|홈페이지를 보고|사이트를 보고|홈페이지 방문|관심 있으시|관심있으시|관심 있으신|제안드립니다|제안 드립니다|제안을 드리|최저가|저렴하게|특가|무료 상담|무료상담|무료 진단|무료로|지금 바로|클릭|가입하|텔레그램|라인 아이디|협업 제안|월 .. 만원|만원부터|보장합니다
  1 저렴한|할인|이벤트|카톡|카카오톡|홈페이지 제작|앱 개발|영상 제작|제휴|보장
  4 الصفحة الأولى|صفحة جوجل الأولى|تصدر نتائج|محركات البحث|تحسين محركات|زيادة المبيعات|زيادة مبيعات*|زيادة الزيارات|عملاء جدد|مزيد من العملاء|ايميلات شركات|روابط خلفية|باك لينك|مقال برعاية|تمويل شخصي|بدون كفيل|بدون ضمان|سداد قروض|سداد القروض|فائدة 2|فائدة 3|كازينو|مراهنات|رهان|لفات مجانية|ربح المال|اربح|الربح من|دخل إضافي|دخل سلبي|استثمر|استثمار في|بيتكوين|عملات رقمية|فوركس|فياجرا|بدون وصفة|زيادة متابعين|تقييمات جوجل|شراء متابعين|مقلدة|شهادات جامعية|شهادة جامعية|رخصة قيادة|جلب الحبيب|شيخ روحاني|فك السحر|روحاني|تعارف|إلغاء الاشتراك|مبروك|لقد ربحت|ربحت
  2 قاعدة بيانات|قوائم بريدية|قرض|قروض|تداول|متابعين
  2 نقدم لكم|نقدم خدمات|نحن شركة متخصصة|متخصصون في|خدماتنا|نعرض عليكم|نعرض|نوفر لكم|يمكننا مساعدت*|نساعدكم|نساعد|زرت موقعكم|اطلعت على موقعكم|شاهدت موقعكم|هل أنت مهتم|هل انت مهتم|هل ترغب|هل تريد|مهتمين|أفضل الأسعار|افضل الاسعار|بأسعار منافسة|أسعار منافسة|عرض خاص|لفترة محدودة|اضغط هنا|اضغط|سجل الآن|سجل الان|تواصل معنا|تواصل عبر|تيليجرام|تلغرام|مضمون|مضمونة|تصميم المواقع|تطوير تطبيقات
  1 نقدم|شركتنا|فريقنا|نوفر|موقعكم|خصم|واتساب|مجانا|مجانية|تصميم مواقع|شراكة|تعاون
  4 עמוד הראשון|דף ראשון בגוגל|מקום ראשון בגוגל|ראשונים בגוגל|קידום אתרים|קידום אורגני|קידום בגוגל|קידום האתר|יותר לידים|רשימות תפוצה|מאגרי|קישורים נכנסים|פוסט אורח|כתבה ממומנת|ללא ערבים|לסגור חובות|הימורים|ספינים|הכנסה פסיבית|להרוויח|השקעה בביטקוין|קריפטו|פורקס|ויאגרה|ללא מרשם|ביקורות בגוגל|ביקורות חיוביות|דיסקרטי|נערות ליווי|הסרה מרשימ*|זכית
  2 יותר לקוחות|לידים|הלוואה|הלוואות|קזינו|עוקבים|חיקוי|להסרה
  1 מאגר
  2 אנו מציעים|אנחנו מציעים|מציעים לכם|מציעים|מציע לכם|מציע|הסוכנות שלנו|השירותים שלנו|ביקרתי באתר|ראיתי את האתר|נתקלתי באתר|נכנסתי לאתר|מעוניינים לשמוע|רוצים עוד|רוצה עוד|תרצו|האם תרצו|אשמח להציע|אשמח לשלוח|המחיר הטוב|מחיר הכי|מחירים הכי|רק היום|לחצו כאן|לחץ כאן|להרשמה|מובטח|מובטחות|אחריות לתוצאות|ללא התחייבות|וואטסאפ|טלגרם
  1 הצוות שלנו|חברתנו|האתר שלכם|האתר שלך|מבצע|הנחה|בחינם|חינם|בניית אתרים|שיתוף פעולה
  4 गूगल के पहले|पहले पेज|पहले पृष्ठ|एसईओ सेवा*|seo सेवा*|वेबसाइट को रैंक|बैकलिंक|ग्राहक बढ़ा*|बिक्री बढ़ा*|बिना गारंटी|तुरंत लोन|ब्याज दर|कैसीनो|सट्टा|पैसे कमा*|पैसा कमा*|घर बैठे|घर बैठे कमा*|लॉटरी|इनाम|बिटकॉइन|निवेश करें|दोगुना|वियाग्रा|फॉलोअर्स|फॉलोवर्स|वशीकरण|ज्योतिष|काला जादू|एस्कॉर्ट|ghar baithe|paise kamaye|loan chahiye kya|instant loan
  2 रैंक|ट्रैफिक|डेटाबेस|लोन|ऋण
  2 हम प्रदान करते|प्रदान करते हैं|हम देते हैं|हमारी कंपनी|हमारी टीम|हमारी सेवाएं|क्या आप रुचि|रुचि रखते|सबसे सस्ता|सस्ते|सबसे कम|बेहतरीन कीमत|ऑफर|क्लिक करें|व्हाट्सएप|व्हाट्सऐप|टेलीग्राम|वेबसाइट डिज़ाइन|वेबसाइट बना*|ऐप डेवलप*
  1 हम आपकी|हम आपके|आपकी वेबसाइट|आपकी साइट|इच्छुक|छूट|मुफ्त|मुफ़्त|गारंटी
  4 halaman pertama google|halaman 1 google|peringkat pertama|jasa backlink|meningkatkan penjualan|tingkatkan penjualan|lebih banyak pelanggan|database perusahaan|database nomor|artikel sponsor|dana cepat|dana tunai|tanpa jaminan|tanpa agunan|bunga rendah|bunga 2|slot online|maxwin|togel|bonus new member|bonus deposit|penghasilan tambahan|penghasilan pasif|hasilkan uang|investasi bitcoin|investasi kripto|profit harian|obat kuat|tambah followers|ulasan google|jam tangan replika|berhenti berlangganan|pesugihan|dukun
  2 jasa seo|jasa pembuatan website|jasa website|omzet|database email|pinjaman|gacor|kasino|ijazah
  2 kami menawarkan|kami tawarkan|kami menyediakan|kami sediakan|menawarkan jasa|menawarkan|layanan kami|kami bisa membantu|kami dapat membantu|kami membantu|kami adalah produsen|melihat website|mengunjungi website|apakah anda tertarik|tertarik|jika berminat|bila berminat|apakah berminat|minat hubungi|harga terbaik|harga termurah|harga murah|termurah|hanya rp|mulai dari rp|klik di sini|klik link|daftar sekarang|dijamin|bergaransi resmi|terpercaya|hubungi wa|chat wa
  1 tim kami|perusahaan kami|kami adalah|website anda|situs anda|promo|diskon|klik|kerja sama|kerjasama
  4 trang nhat google|trang 1 google|len top google|top google|top 1 google|seo website|tang khach hang|nhieu khach hang|data khach hang|du lieu khach hang|danh sach email|danh sach doanh nghiep|vay tien|vay von|vay tin chap|khong the chap|lai suat thap|giai ngan|ca cuoc|ca do|nha cai|no hu|tai xiu|nhan thuong|khuyen mai nap|kiem tien|thu nhap thu dong|lam them tai nha|viec nhe luong|dau tu bitcoin|dau tu tien ao|sinh loi|thuoc cuong|tang follow|tang like|mua follow|tang theo doi|danh gia 5 sao|hang fake|hang replica|super fake|lam bang|gai goi|huy dang ky|trung thuong|hoa don do|xuat hoa don
  2 dich vu seo|tang doanh so|tang doanh thu|cho vay|loi nhuan|bang cap
  2 chung toi cung cap|ben em cung cap|ben minh cung cap|ben em chuyen|ben minh chuyen|chung toi chuyen|doi ngu|dich vu cua|chung toi co the giup|giup anh chi|giup doanh nghiep|da xem website|ghe tham website|vao website|anh chi co quan tam|neu quan tam|gia tot nhat|gia re|gia uu dai|uu dai|chi tu|chi voi|nhan ngay|bam vao|dang ky ngay|dam bao|bao dam|nguon hang|xuong san xuat
  1 cong ty chung toi|cong ty em|website cua anh|website cua ban|trang web cua|quy cong ty|quy khach|khuyen mai|giam gia|click|mien phi|cam ket|zalo|thiet ke website|thiet ke web|hop tac
  4 prvni strana google|prvni stranku google|prvni strance google|prvni pozice|na prvni misto|seo optimalizac*|optimalizac* .. webu|vice navstevniku|zvyseni prodej*|zvysit prodej*|databaze firem|databazi firem|audit zdarma|analyza zdarma|zpetne odkazy|zpetnych odkazu|pr clanek|vymena odkazu|nabidka pujcky|nabizim pujck*|nabizime pujck*|pujcky od|pujcka od|pujcky bez|bez registru|free spiny|bonus bez vkladu|sazeni|vydelavej*|vydelek|pasivni prijem|investice do bitcoin*|kryptomen* .. zisk|bez predpisu|sledujicich|followeru|recenze na google|nakup recenzi|ridicsky prukaz bez|kartarka
  2 vice zakazniku|repliky|odhlasit
  2 nabizime|nabizim|nabizime vam|nase firma nabizi|nas tym|nase agentura|nase sluzby|pomuzeme|pomahame|specializujeme|jsme vyrobce|jsme agentura|navstivil vase|navstivil jsem|prohlizel vase|narazil jsem na|mate zajem|meli byste zajem|zaujala vas|mohu zaslat|mohu vam|nejlepsi cena|nejlepsi ceny|nejnizsi ceny|vyhodne|jen za|pouze za|kliknete|klikni|garantujeme|zarucene|tvorba webovych|agenturni pracovni*|pracovniky z
  1 vase stranky|vase webove|vas web|zdarma|mesicne|tvorba webu|spoluprac*
  4 gratissnurr
  2 endast .. kr|fran .. kr
  1 samarbete
  4 πρωτη σελιδα|πρωτη θεση στο google|στην κορυφη της google|προωθηση ιστοσελιδ*|προωθηση στη google|προωθηση στο google|κατασκευη ιστοσελιδ*|αυξηστε τις πωλησεις|αυξησουμε τις πωλησεις|αυξηση πωλησεων|περισσοτερους πελατες|περισσοτερες πωλησεις|βαση δεδομενων|λιστες email|λιστα email|δωρεαν αναλυση|δωρεαν ελεγχο|χωρις εγγυ*|καζινο|φρουτακια|στοιχημα*|δωρεαν περιστροφες|μπονους|παθητικο εισοδημα|κερδιστε|επενδυ* .. bitcoin|κρυπτονομισ*|βιαγκρα|χωρις συνταγη|ακολουθους|κριτικες google|αγορα κριτικων|ρεπλικες|απομιμησεις|συνοδοι|διαγραφη απο τη λιστα
  2 συνδεσμους|δανεια|δανειο|επιτοκιο
  2 προσφερουμε|σας προσφερουμε|παρεχουμε|μπορουμε να σας|μπορουμε να βοηθησουμε|οι υπηρεσιες μας|ειμαστε εταιρεια|ειδικευομαστε|επισκεφθηκα|επισκεφτηκα|ειδα το site|ειδα την ιστοσελιδα|σας ενδιαφερει|ενδιαφερεστε|θα σας ενδιεφερε|να σας στειλω|καλυτερη τιμη|καλυτερες τιμες|χαμηλες τιμες|μονο με|απο μονο|προσφορα μας|κλικ εδω|καντε κλικ|εγγυημεν*|εγγυομαστε
  1 η ομαδα μας|η εταιρεια μας|την ιστοσελιδα σας|η ιστοσελιδα σας|το site σας|δωρεαν|τον μηνα|συνεργασια
  4 หน้าแรก google|หน้าแรกของ google|หน้าแรกกูเกิล|ติดหน้าแรก|ติดอันดับ|อันดับ 1|รับทำ seo|รับทำเว็บ|รับทำการตลาด|บริการ seo|เพิ่มยอดขาย|เพิ่มลูกค้า|ฐานข้อมูลลูกค้า|รายชื่ออีเมล|แบคลิงค์|เงินกู้|เงินด่วน|กู้เงิน|ไม่ต้องค้ำ|ดอกเบี้ยต่ำ|คาสิโน|บาคาร่า|สล็อต|แทงบอล|พนัน|เครดิตฟรี|เว็บตรง|แตกง่าย|ฝากถอน|หวย|รายได้เสริม|งานออนไลน์|หารายได้|รายได้ต่อวัน|ลงทุน .. กำไร|บิทคอยน์|คริปโต|ไวอากร้า|เพิ่มผู้ติดตาม|ปั๊มไลค์|ปั้มไลค์|ปั๊มผู้ติดตาม|รีวิวปลอม|รับรีวิว|ก๊อปเกรด|งานมิลเลอร์|วุฒิการศึกษา|ไซด์ไลน์|ยกเลิกรับข่าว
  2 สินเชื่อ
  2 เราให้บริการ|เราขอเสนอ|ขอนำเสนอ|ขอเสนอ|บริษัทของเรา|ทีมงานของเรา|เราเป็นผู้ผลิต|เราเป็นบริษัท|เราสามารถช่วย|เข้าชมเว็บไซต์|สนใจติดต่อ|สนใจทัก|หากสนใจ|ถ้าสนใจ|ท่านสนใจ|คุณสนใจ|ราคาพิเศษ|ราคาถูก|ถูกที่สุด|โปรโมชั่น|เพียง .. บาท|สมัครเลย|รับประกันผล|การันตี|แอดไลน์|ทักไลน์
  1 ให้บริการ|เว็บไซต์ของคุณ|เว็บไซต์ของท่าน|ส่วนลด|เริ่มต้น|คลิก|ฟรี|ร่วมงาน|พันธมิตร
  4 突然のメール
  2 成果報酬|集客|ご提案
`;

/** Words of trades that advertise through forms. */
export const TOPICS = `
  3 erotic*|erotik*|erotisch*|sexy|porn*|xxx video*|generic viagra|cialis|kamagra|keto|weight loss|penis|casino article|casino link*|essay*|dissertation*|betting site|crypto wallet|seed phrase|wire transfer|western union|moneygram|hacker|hack any|hire a hacker|spy app|cheating spouse
`;
