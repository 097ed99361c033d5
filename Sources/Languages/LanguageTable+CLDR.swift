// swift-format-ignore-file
// SPDX-License-Identifier: Apache-2.0
// Data: Copyright © 1991-2022 Unicode, Inc. (https://www.unicode.org/license.html)

// Written by scripts/languages; do not edit.

extension LanguageTable {
  /// The version of CLDR.
  package static var version: String { "41" }
  /// The script in which a language is usually written.
  static var scripts: StaticString { "af:Latn am:Ethi ar:Arab as:Beng az:Latn be:Cyrl bg:Cyrl bn:Beng br:Latn bs:Latn ca:Latn cs:Latn cy:Latn da:Latn de:Latn el:Grek en:Latn es:Latn et:Latn eu:Latn fa:Arab fi:Latn fil:Latn fo:Latn fr:Latn fy:Latn ga:Latn gd:Latn gl:Latn gu:Gujr he:Hebr hi:Deva hr:Latn hu:Latn hy:Armn ia:Latn id:Latn is:Latn it:Latn ja:Jpan ka:Geor kk:Cyrl km:Khmr kn:Knda ko:Kore ky:Cyrl lb:Latn lo:Laoo lt:Latn lv:Latn mk:Cyrl ml:Mlym mn:Cyrl mr:Deva ms:Latn mt:Latn my:Mymr nb:Latn ne:Deva nl:Latn nn:Latn or:Orya pa:Guru pl:Latn pt:Latn rm:Latn ro:Latn ru:Cyrl si:Sinh sk:Latn sl:Latn sq:Latn sr:Cyrl sv:Latn sw:Latn ta:Taml te:Telu th:Thai tr:Latn uk:Cyrl ur:Arab uz:Latn vi:Latn zh:Hans zu:Latn" }
  /// The script in which a language is usually written in a region, if it is another one.
  static var regionalScripts: StaticString { "az-IQ:Arab az-IR:Arab az-RU:Cyrl kk-AF:Arab kk-CN:Arab kk-IR:Arab kk-MN:Arab ky-CN:Arab ky-TR:Latn mn-CN:Mong ms-CC:Arab pa-PK:Arab sr-ME:Latn sr-RO:Latn sr-RU:Latn sr-TR:Latn uz-AF:Arab uz-CN:Cyrl zh-AU:Hant zh-BN:Hant zh-GB:Hant zh-GF:Hant zh-HK:Hant zh-ID:Hant zh-MO:Hant zh-PA:Hant zh-PF:Hant zh-PH:Hant zh-SR:Hant zh-TH:Hant zh-TW:Hant zh-US:Hant zh-VN:Hant" }
  /// Other codes of the languages.
  static var aliases: StaticString { "afr:af alb:sq als:sq amh:am ara:ar arb:ar arm:hy asm:as aze:az azj:az baq:eu bel:be ben:bn bos:bs bre:br bul:bg bur:my cat:ca ces:cs chi:zh cmn:zh cnr:sr-ME cym:cy cze:cs dan:da deu:de drh:mn drw:fa-AF dut:nl ekk:et ell:el eng:en est:et eus:eu fao:fo fas:fa fin:fi fra:fr fre:fr fry:fy geo:ka ger:de gla:gd gle:ga glg:gl gre:el guj:gu hbs:sr-Latn heb:he hin:hi hrv:hr hun:hu hye:hy ice:is in:id ina:ia ind:id isl:is ita:it iw:he jpn:ja kan:kn kat:ka kaz:kk khk:mn khm:km kir:ky kor:ko lao:lo lav:lv lit:lt ltz:lb lvs:lv mac:mk mal:ml mar:mr may:ms mkd:mk mlt:mt mo:ro mol:ro mon:mn msa:ms mya:my nep:ne nld:nl nno:nn no:nb nob:nb npi:ne ori:or ory:or pan:pa per:fa pes:fa pol:pl por:pt prs:fa-AF roh:rm ron:ro rum:ro rus:ru scc:sr scr:hr sh:sr-Latn sin:si slk:sk slo:sk slv:sl spa:es sqi:sq srp:sr swa:sw swc:sw-CD swe:sv swh:sw tam:ta tel:te tgl:fil tha:th tl:fil tnf:fa-AF tur:tr ukr:uk urd:ur uzb:uz uzn:uz vie:vi wel:cy zho:zh zsm:ms zul:zu" }
  /// The regions in which clocks have 12 hours, and the languages that have them in other regions.
  static var twelveHours: StaticString { "AE AG AL AS AU BB BD BH BM BN BS BT CA CO CY DJ DM DO DZ EG EH ER ET FJ FM GD GH GM GR GU GY HK IN IQ JM JO KH KI KN KP KR KW KY LB LC LR LS LY MH MO MP MR MW MY NA NZ OM PA PG PH PK PR PS PW QA SA SB SD SG SL SO SS SY SZ TC TD TN TO TT TW UM US VC VE VG VI VU WS YE ZM ar-001 en-001" }
  /// The languages that have 24 hours in regions where clocks have 12.
  static var twentyFourHours: StaticString { "fr-CA" }

  static var records: StaticString {
    """
    #en
    n English;English
    r US
    W Sunday;Monday;Tuesday;Wednesday;Thursday;Friday;Saturday
    w Sun;Mon;Tue;Wed;Thu;Fri;Sat
    M January;February;March;April;May;June;July;August;September;October;November;December
    m Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec
    d EEEE, MMMM d
    #en-001 en-150 en-AG en-AI en-AT en-BB en-BE en-BM en-BS en-CC en-CH en-CK en-CM en-CX en-CY en-DE en-DG en-DK en-DM en-ER en-FI en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GY en-HK en-IE en-IL en-IM en-IN en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-MO en-MS en-MT en-MU en-MV en-MW en-MY en-NA en-NF en-NG en-NL en-NR en-NU en-NZ en-PG en-PK en-PN en-PW en-RW en-SB en-SC en-SD en-SE en-SG en-SH en-SI en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-VC en-VG en-VU en-WS en-ZM
    m Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sept;Oct;Nov;Dec
    p am;pm
    d EEEE, d MMMM
    #en-AE
    d EEEE, d MMMM
    #en-AU
    m Jan;Feb;Mar;Apr;May;June;July;Aug;Sept;Oct;Nov;Dec
    l Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec
    p am;pm
    d EEEE, d MMMM
    #en-BW en-BZ en-ZA en-ZW
    m Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sept;Oct;Nov;Dec
    p am;pm
    d EEEE, dd MMMM
    #en-CA
    m Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sept;Oct;Nov;Dec
    p a.m.;p.m.
    #af
    n Afrikaans;Afrikaans
    r ZA
    W Sondag;Maandag;Dinsdag;Woensdag;Donderdag;Vrydag;Saterdag
    w So.;Ma.;Di.;Wo.;Do.;Vr.;Sa.
    M Januarie;Februarie;Maart;April;Mei;Junie;Julie;Augustus;September;Oktober;November;Desember
    m Jan.;Feb.;Mrt.;Apr.;Mei;Jun.;Jul.;Aug.;Sep.;Okt.;Nov.;Des.
    p vm.;nm.
    d EEEE d MMMM
    x áâéèêëîïôöû
    #am
    n Amharic;አማርኛ
    r ET
    W እሑድ;ሰኞ;ማክሰኞ;ረቡዕ;ሐሙስ;ዓርብ;ቅዳሜ
    w እሑድ;ሰኞ;ማክሰ;ረቡዕ;ሐሙስ;ዓርብ;ቅዳሜ
    M ጃንዩወሪ;ፌብሩወሪ;ማርች;ኤፕሪል;ሜይ;ጁን;ጁላይ;ኦገስት;ሴፕቴምበር;ኦክቶበር;ኖቬምበር;ዲሴምበር
    m ጃንዩ;ፌብሩ;ማርች;ኤፕሪ;ሜይ;ጁን;ጁላይ;ኦገስ;ሴፕቴ;ኦክቶ;ኖቬም;ዲሴም
    p ጥዋት;ከሰዓት
    d EEEE፣ MMMM d
    #ar
    n Arabic;العربية
    r EG
    W الأحد;الاثنين;الثلاثاء;الأربعاء;الخميس;الجمعة;السبت
    w الأحد;الاثنين;الثلاثاء;الأربعاء;الخميس;الجمعة;السبت
    M يناير;فبراير;مارس;أبريل;مايو;يونيو;يوليو;أغسطس;سبتمبر;أكتوبر;نوفمبر;ديسمبر
    m يناير;فبراير;مارس;أبريل;مايو;يونيو;يوليو;أغسطس;سبتمبر;أكتوبر;نوفمبر;ديسمبر
    p ص;م
    d EEEE، d MMMM
    0 ٠١٢٣٤٥٦٧٨٩
    o r
    x ءأؤإئاآبةتثجحخدذرزسشصضطظعغفقكلمنهوىي
    #ar-DZ ar-TN
    M جانفي;فيفري;مارس;أفريل;ماي;جوان;جويلية;أوت;سبتمبر;أكتوبر;نوفمبر;ديسمبر
    m جانفي;فيفري;مارس;أفريل;ماي;جوان;جويلية;أوت;سبتمبر;أكتوبر;نوفمبر;ديسمبر
    #ar-IQ
    M كانون الثاني;شباط;آذار;نيسان;أيار;حزيران;تموز;آب;أيلول;تشرين الأول;تشرين الثاني;كانون الأول
    m كانون الثاني;شباط;آذار;نيسان;أيار;حزيران;تموز;آب;أيلول;تشرين الأول;تشرين الثاني;كانون الأول
    l كانون الثاني;شباط;آذار;نيسان;أيار;حزيران;تموز;آب;أيلول;تشرين الأول;تشرين الثاني;كانون الأول
    #ar-JO ar-LB ar-PS ar-SY
    M كانون الثاني;شباط;آذار;نيسان;أيار;حزيران;تموز;آب;أيلول;تشرين الأول;تشرين الثاني;كانون الأول
    m كانون الثاني;شباط;آذار;نيسان;أيار;حزيران;تموز;آب;أيلول;تشرين الأول;تشرين الثاني;كانون الأول
    #ar-MA
    M يناير;فبراير;مارس;أبريل;ماي;يونيو;يوليوز;غشت;شتنبر;أكتوبر;نونبر;دجنبر
    m يناير;فبراير;مارس;أبريل;ماي;يونيو;يوليوز;غشت;شتنبر;أكتوبر;نونبر;دجنبر
    #ar-MR
    M يناير;فبراير;مارس;إبريل;مايو;يونيو;يوليو;أغشت;شتمبر;أكتوبر;نوفمبر;دجمبر
    m يناير;فبراير;مارس;إبريل;مايو;يونيو;يوليو;أغشت;شتمبر;أكتوبر;نوفمبر;دجمبر
    #as
    n Assamese;অসমীয়া
    r IN
    W দেওবাৰ;সোমবাৰ;মঙ্গলবাৰ;বুধবাৰ;বৃহস্পতিবাৰ;শুক্ৰবাৰ;শনিবাৰ
    w দেও;সোম;মঙ্গল;বুধ;বৃহ;শুক্ৰ;শনি
    M জানুৱাৰী;ফেব্ৰুৱাৰী;মাৰ্চ;এপ্ৰিল;মে’;জুন;জুলাই;আগষ্ট;ছেপ্তেম্বৰ;অক্টোবৰ;নৱেম্বৰ;ডিচেম্বৰ
    m জানু;ফেব্ৰু;মাৰ্চ;এপ্ৰিল;মে’;জুন;জুলাই;আগ;ছেপ্তে;অক্টো;নৱে;ডিচে
    p পূৰ্বাহ্ন;অপৰাহ্ন
    d EEEE, d MMMM
    0 ০১২৩৪৫৬৭৮৯
    x অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযৰলৱশষসহ
    #az
    n Azerbaijani;azərbaycan
    r AZ
    W bazar;bazar ertəsi;çərşənbə axşamı;çərşənbə;cümə axşamı;cümə;şənbə
    w B.;B.e.;Ç.a.;Ç.;C.a.;C.;Ş.
    s B.;B.E.;Ç.A.;Ç.;C.A.;C.;Ş.
    M yanvar;fevral;mart;aprel;may;iyun;iyul;avqust;sentyabr;oktyabr;noyabr;dekabr
    m yan;fev;mar;apr;may;iyn;iyl;avq;sen;okt;noy;dek
    d d MMMM, EEEE
    x çəğıİöşü
    #az-Cyrl
    W базар;базар ертәси;чәршәнбә ахшамы;чәршәнбә;ҹүмә ахшамы;ҹүмә;шәнбә
    w Б.;Б.Е.;Ч.А.;Ч.;Ҹ.А.;Ҹ.;Ш.
    s Б.;Б.Е.;Ч.А.;Ч.;Ҹ.А.;Ҹ.;Ш.
    M јанвар;феврал;март;апрел;май;ијун;ијул;август;сентјабр;октјабр;нојабр;декабр
    m јан;фев;мар;апр;май;ијн;ијл;авг;сен;окт;ној;дек
    L Јанвар;Феврал;Март;Апрел;Май;Ијун;Ијул;Август;Сентјабр;Октјабр;Нојабр;Декабр
    p АМ;ПМ
    x аәбвгғдежзийјкҝлмноөпрстуүфхһчҹшы
    #be
    n Belarusian;беларуская
    r BY
    W нядзеля;панядзелак;аўторак;серада;чацвер;пятніца;субота
    w нд;пн;аў;ср;чц;пт;сб
    M студзеня;лютага;сакавіка;красавіка;мая;чэрвеня;ліпеня;жніўня;верасня;кастрычніка;лістапада;снежня
    m сту;лют;сак;кра;мая;чэр;ліп;жні;вер;кас;ліс;сне
    L студзень;люты;сакавік;красавік;май;чэрвень;ліпень;жнівень;верасень;кастрычнік;лістапад;снежань
    l сту;лют;сак;кра;май;чэр;ліп;жні;вер;кас;ліс;сне
    d EEEE, d MMMM
    x абвгдеёжзійклмнопрстуўфхцчшыьэюя
    #bg
    n Bulgarian;български
    r BG
    W неделя;понеделник;вторник;сряда;четвъртък;петък;събота
    w нд;пн;вт;ср;чт;пт;сб
    M януари;февруари;март;април;май;юни;юли;август;септември;октомври;ноември;декември
    m яну;фев;март;апр;май;юни;юли;авг;сеп;окт;ное;дек
    p am;pm
    d EEEE, d MMMM
    x абвгдежзийклмнопрстуфхцчшщъьюя
    #bn
    n Bangla;বাংলা
    r BD
    W রবিবার;সোমবার;মঙ্গলবার;বুধবার;বৃহস্পতিবার;শুক্রবার;শনিবার
    w রবি;সোম;মঙ্গল;বুধ;বৃহস্পতি;শুক্র;শনি
    M জানুয়ারী;ফেব্রুয়ারী;মার্চ;এপ্রিল;মে;জুন;জুলাই;আগস্ট;সেপ্টেম্বর;অক্টোবর;নভেম্বর;ডিসেম্বর
    m জানু;ফেব;মার্চ;এপ্রিল;মে;জুন;জুলাই;আগস্ট;সেপ্টেম্বর;অক্টোবর;নভেম্বর;ডিসেম্বর
    l জানুয়ারী;ফেব্রুয়ারী;মার্চ;এপ্রিল;মে;জুন;জুলাই;আগস্ট;সেপ্টেম্বর;অক্টোবর;নভেম্বর;ডিসেম্বর
    d EEEE d MMMM
    0 ০১২৩৪৫৬৭৮৯
    x অআইঈউঊঋৠঌৡএঐওঔকখগঘঙচছজঝঞটঠডঢণতৎথদধনপফবভমযরলশষসহঽ
    #br
    n Breton;brezhoneg
    r FR
    W Sul;Lun;Meurzh;Mercʼher;Yaou;Gwener;Sadorn
    w Sul;Lun;Meu.;Mer.;Yaou;Gwe.;Sad.
    M Genver;Cʼhwevrer;Meurzh;Ebrel;Mae;Mezheven;Gouere;Eost;Gwengolo;Here;Du;Kerzu
    m Gen.;Cʼhwe.;Meur.;Ebr.;Mae;Mezh.;Goue.;Eost;Gwen.;Here;Du;Kzu.
    p A.M.;G.M.
    d EEEE d MMMM
    x êñù
    #bs
    n Bosnian;bosanski
    r BA
    W nedjelja;ponedjeljak;utorak;srijeda;četvrtak;petak;subota
    w ned;pon;uto;sri;čet;pet;sub
    M januar;februar;mart;april;maj;juni;juli;august;septembar;oktobar;novembar;decembar
    m jan;feb;mar;apr;maj;jun;jul;aug;sep;okt;nov;dec
    d EEEE, d. MMMM
    x čćđšž
    #bs-Cyrl
    W недјеља;понедјељак;уторак;сриједа;четвртак;петак;субота
    w нед;пон;уто;сри;чет;пет;суб
    M јануар;фебруар;март;април;мај;јуни;јули;аугуст;септембар;октобар;новембар;децембар
    m јан;феб;мар;апр;мај;јун;јул;ауг;сеп;окт;нов;дец
    p пре подне;поподне
    d EEEE, dd. MMMM
    x абвгдђежзијклљмнњопрстћуфхцчџш
    #ca
    n Catalan;català
    r ES
    W diumenge;dilluns;dimarts;dimecres;dijous;divendres;dissabte
    w dg.;dl.;dt.;dc.;dj.;dv.;ds.
    M de gener;de febrer;de març;d’abril;de maig;de juny;de juliol;d’agost;de setembre;d’octubre;de novembre;de desembre
    m de gen.;de febr.;de març;d’abr.;de maig;de juny;de jul.;d’ag.;de set.;d’oct.;de nov.;de des.
    L gener;febrer;març;abril;maig;juny;juliol;agost;setembre;octubre;novembre;desembre
    l gen.;febr.;març;abr.;maig;juny;jul.;ag.;set.;oct.;nov.;des.
    p a. m.;p. m.
    d EEEE, d MMMM
    x àçéèíïóòúü
    #cs
    n Czech;čeština
    r CZ
    W neděle;pondělí;úterý;středa;čtvrtek;pátek;sobota
    w ne;po;út;st;čt;pá;so
    M ledna;února;března;dubna;května;června;července;srpna;září;října;listopadu;prosince
    m led;úno;bře;dub;kvě;čvn;čvc;srp;zář;říj;lis;pro
    L leden;únor;březen;duben;květen;červen;červenec;srpen;září;říjen;listopad;prosinec
    p dop.;odp.
    d EEEE d. MMMM
    x áčďéěíňóřšťúůýž
    #cy
    n Welsh;Cymraeg
    r GB
    W Dydd Sul;Dydd Llun;Dydd Mawrth;Dydd Mercher;Dydd Iau;Dydd Gwener;Dydd Sadwrn
    w Sul;Llun;Maw;Mer;Iau;Gwen;Sad
    s Sul;Llun;Maw;Mer;Iau;Gwe;Sad
    M Ionawr;Chwefror;Mawrth;Ebrill;Mai;Mehefin;Gorffennaf;Awst;Medi;Hydref;Tachwedd;Rhagfyr
    m Ion;Chwef;Maw;Ebr;Mai;Meh;Gorff;Awst;Medi;Hyd;Tach;Rhag
    l Ion;Chw;Maw;Ebr;Mai;Meh;Gor;Awst;Medi;Hyd;Tach;Rhag
    d EEEE, d MMMM
    x áàâäéèêëíìîïóòôöúùûüẃẁŵẅýỳŷÿ
    #da
    n Danish;dansk
    r DK
    W søndag;mandag;tirsdag;onsdag;torsdag;fredag;lørdag
    w søn.;man.;tir.;ons.;tor.;fre.;lør.
    s søn;man;tir;ons;tor;fre;lør
    M januar;februar;marts;april;maj;juni;juli;august;september;oktober;november;december
    m jan.;feb.;mar.;apr.;maj;jun.;jul.;aug.;sep.;okt.;nov.;dec.
    d EEEE d. MMMM
    x æøå
    #de
    n German;Deutsch
    r DE
    W Sonntag;Montag;Dienstag;Mittwoch;Donnerstag;Freitag;Samstag
    w So.;Mo.;Di.;Mi.;Do.;Fr.;Sa.
    s So;Mo;Di;Mi;Do;Fr;Sa
    M Januar;Februar;März;April;Mai;Juni;Juli;August;September;Oktober;November;Dezember
    m Jan.;Feb.;März;Apr.;Mai;Juni;Juli;Aug.;Sept.;Okt.;Nov.;Dez.
    l Jan;Feb;Mär;Apr;Mai;Jun;Jul;Aug;Sep;Okt;Nov;Dez
    d EEEE, d. MMMM
    x äößü
    #de-AT de-IT
    M Jänner;Februar;März;April;Mai;Juni;Juli;August;September;Oktober;November;Dezember
    m Jän.;Feb.;März;Apr.;Mai;Juni;Juli;Aug.;Sep.;Okt.;Nov.;Dez.
    l Jän;Feb;Mär;Apr;Mai;Jun;Jul;Aug;Sep;Okt;Nov;Dez
    #de-CH
    x äöü
    #el
    n Greek;Ελληνικά
    r GR
    W Κυριακή;Δευτέρα;Τρίτη;Τετάρτη;Πέμπτη;Παρασκευή;Σάββατο
    w Κυρ;Δευ;Τρί;Τετ;Πέμ;Παρ;Σάβ
    M Ιανουαρίου;Φεβρουαρίου;Μαρτίου;Απριλίου;Μαΐου;Ιουνίου;Ιουλίου;Αυγούστου;Σεπτεμβρίου;Οκτωβρίου;Νοεμβρίου;Δεκεμβρίου
    m Ιαν;Φεβ;Μαρ;Απρ;Μαΐ;Ιουν;Ιουλ;Αυγ;Σεπ;Οκτ;Νοε;Δεκ
    L Ιανουάριος;Φεβρουάριος;Μάρτιος;Απρίλιος;Μάιος;Ιούνιος;Ιούλιος;Αύγουστος;Σεπτέμβριος;Οκτώβριος;Νοέμβριος;Δεκέμβριος
    l Ιαν;Φεβ;Μάρ;Απρ;Μάι;Ιούν;Ιούλ;Αύγ;Σεπ;Οκτ;Νοέ;Δεκ
    p π.μ.;μ.μ.
    d EEEE d MMMM
    x αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ
    #es
    n Spanish;español
    r ES
    W domingo;lunes;martes;miércoles;jueves;viernes;sábado
    w dom;lun;mar;mié;jue;vie;sáb
    M enero;febrero;marzo;abril;mayo;junio;julio;agosto;septiembre;octubre;noviembre;diciembre
    m ene;feb;mar;abr;may;jun;jul;ago;sept;oct;nov;dic
    p a. m.;p. m.
    d EEEE, d' de 'MMMM
    t EcML
    x áéíñóúü
    #es-CL es-CO
    l ene.;feb.;mar.;abr.;may.;jun.;jul.;ago.;sept.;oct.;nov.;dic.
    #es-PE es-UY
    M enero;febrero;marzo;abril;mayo;junio;julio;agosto;setiembre;octubre;noviembre;diciembre
    m ene.;feb.;mar.;abr.;may.;jun.;jul.;ago.;set.;oct.;nov.;dic.
    L Enero;Febrero;Marzo;Abril;Mayo;Junio;Julio;Agosto;Setiembre;Octubre;Noviembre;Diciembre
    l Ene.;Feb.;Mar.;Abr.;May.;Jun.;Jul.;Ago.;Set.;Oct.;Nov.;Dic.
    #es-PY es-VE
    m ene.;feb.;mar.;abr.;may.;jun.;jul.;ago.;sept.;oct.;nov.;dic.
    #et
    n Estonian;eesti
    r EE
    W Pühapäev;Esmaspäev;Teisipäev;Kolmapäev;Neljapäev;Reede;Laupäev
    w P;E;T;K;N;R;L
    M jaanuar;veebruar;märts;aprill;mai;juuni;juuli;august;september;oktoober;november;detsember
    m jaan;veebr;märts;apr;mai;juuni;juuli;aug;sept;okt;nov;dets
    d EEEE, d. MMMM
    x šžõäöü
    #eu
    n Basque;euskara
    r ES
    W igandea;astelehena;asteartea;asteazkena;osteguna;ostirala;larunbata
    w ig.;al.;ar.;az.;og.;or.;lr.
    M urtarrilak;otsailak;martxoak;apirilak;maiatzak;ekainak;uztailak;abuztuak;irailak;urriak;azaroak;abenduak
    m urt.;ots.;mar.;api.;mai.;eka.;uzt.;abu.;ira.;urr.;aza.;abe.
    L urtarrila;otsaila;martxoa;apirila;maiatza;ekaina;uztaila;abuztua;iraila;urria;azaroa;abendua
    d MMMM d, EEEE
    x çñ
    #fa
    n Persian;فارسی
    r IR
    W یکشنبه;دوشنبه;سه‌شنبه;چهارشنبه;پنجشنبه;جمعه;شنبه
    w یکشنبه;دوشنبه;سه‌شنبه;چهارشنبه;پنجشنبه;جمعه;شنبه
    M ژانویهٔ;فوریهٔ;مارس;آوریل;مهٔ;ژوئن;ژوئیهٔ;اوت;سپتامبر;اکتبر;نوامبر;دسامبر
    m ژانویه;فوریه;مارس;آوریل;مه;ژوئن;ژوئیه;اوت;سپتامبر;اکتبر;نوامبر;دسامبر
    L ژانویه;فوریه;مارس;آوریل;مه;ژوئن;ژوئیه;اوت;سپتامبر;اکتبر;نوامبر;دسامبر
    p ق.ظ.;ب.ظ.
    d EEEE d LLLL
    0 ۰۱۲۳۴۵۶۷۸۹
    o r
    x آاءأؤئبپتثجچحخدذرزژسشصضطظعغفقکگلمنوهةی
    #fa-AF
    M جنوری;فبروری;مارچ;اپریل;می;جون;جولای;اگست;سپتمبر;اکتوبر;نومبر;دسمبر
    m جنو;فبروری;مارچ;اپریل;می;جون;جول;اگست;سپتمبر;اکتوبر;نومبر;دسم
    L جنوری;فبروری;مارچ;اپریل;می;جون;جولای;اگست;سپتمبر;اکتوبر;نومبر;دسمبر
    l جنوری;فبروری;مارچ;اپریل;می;جون;جولای;اگست;سپتمبر;اکتوبر;نومبر;دسمبر
    #fi
    n Finnish;suomi
    r FI
    W sunnuntaina;maanantaina;tiistaina;keskiviikkona;torstaina;perjantaina;lauantaina
    w su;ma;ti;ke;to;pe;la
    S sunnuntai;maanantai;tiistai;keskiviikko;torstai;perjantai;lauantai
    M tammikuuta;helmikuuta;maaliskuuta;huhtikuuta;toukokuuta;kesäkuuta;heinäkuuta;elokuuta;syyskuuta;lokakuuta;marraskuuta;joulukuuta
    m tammik.;helmik.;maalisk.;huhtik.;toukok.;kesäk.;heinäk.;elok.;syysk.;lokak.;marrask.;jouluk.
    L tammikuu;helmikuu;maaliskuu;huhtikuu;toukokuu;kesäkuu;heinäkuu;elokuu;syyskuu;lokakuu;marraskuu;joulukuu
    l tammi;helmi;maalis;huhti;touko;kesä;heinä;elo;syys;loka;marras;joulu
    p ap.;ip.
    d cccc d. MMMM
    x šžåäö
    #fil
    n Filipino;Filipino
    r PH
    W Linggo;Lunes;Martes;Miyerkules;Huwebes;Biyernes;Sabado
    w Lin;Lun;Mar;Miy;Huw;Biy;Sab
    M Enero;Pebrero;Marso;Abril;Mayo;Hunyo;Hulyo;Agosto;Setyembre;Oktubre;Nobyembre;Disyembre
    m Ene;Peb;Mar;Abr;May;Hun;Hul;Ago;Set;Okt;Nob;Dis
    d EEEE, MMMM d
    x ñ
    #fo
    n Faroese;føroyskt
    r FO
    W sunnudagur;mánadagur;týsdagur;mikudagur;hósdagur;fríggjadagur;leygardagur
    w sun.;mán.;týs.;mik.;hós.;frí.;ley.
    s sun;mán;týs;mik;hós;frí;ley
    M januar;februar;mars;apríl;mai;juni;juli;august;september;oktober;november;desember
    m jan.;feb.;mar.;apr.;mai;jun.;jul.;aug.;sep.;okt.;nov.;des.
    l jan;feb;mar;apr;mai;jun;jul;aug;sep;okt;nov;des
    d EEEE d. MMMM
    x áðíóúýæø
    #fr
    n French;français
    r FR
    W dimanche;lundi;mardi;mercredi;jeudi;vendredi;samedi
    w dim.;lun.;mar.;mer.;jeu.;ven.;sam.
    M janvier;février;mars;avril;mai;juin;juillet;août;septembre;octobre;novembre;décembre
    m janv.;févr.;mars;avr.;mai;juin;juil.;août;sept.;oct.;nov.;déc.
    d EEEE d MMMM
    t EcML
    x àâæçéèêëîïôœùûüÿ
    #fr-CA
    m janv.;févr.;mars;avr.;mai;juin;juill.;août;sept.;oct.;nov.;déc.
    p a.m.;p.m.
    #fr-CM
    p mat.;soir
    #fr-MA
    m jan.;fév.;mar.;avr.;mai;jui.;juil.;août;sept.;oct.;nov.;déc.
    #fy
    n Western Frisian;Frysk
    r NL
    W snein;moandei;tiisdei;woansdei;tongersdei;freed;sneon
    w si;mo;ti;wo;to;fr;so
    M Jannewaris;Febrewaris;Maart;April;Maaie;Juny;July;Augustus;Septimber;Oktober;Novimber;Desimber
    m Jan;Feb;Mrt;Apr;Mai;Jun;Jul;Aug;Sep;Okt;Nov;Des
    d EEEE d MMMM
    t EcML
    x áàâäéèêëíïóôöúûüý
    #ga
    n Irish;Gaeilge
    r IE
    W Dé Domhnaigh;Dé Luain;Dé Máirt;Dé Céadaoin;Déardaoin;Dé hAoine;Dé Sathairn
    w Domh;Luan;Máirt;Céad;Déar;Aoine;Sath
    M Eanáir;Feabhra;Márta;Aibreán;Bealtaine;Meitheamh;Iúil;Lúnasa;Meán Fómhair;Deireadh Fómhair;Samhain;Nollaig
    m Ean;Feabh;Márta;Aib;Beal;Meith;Iúil;Lún;MFómh;DFómh;Samh;Noll
    p r.n.;i.n.
    d EEEE d MMMM
    x áéíóú
    #gd
    n Scottish Gaelic;Gàidhlig
    r GB
    W DiDòmhnaich;DiLuain;DiMàirt;DiCiadain;DiarDaoin;DihAoine;DiSathairne
    w DiD;DiL;DiM;DiC;Dia;Dih;DiS
    M dhen Fhaoilleach;dhen Ghearran;dhen Mhàrt;dhen Ghiblean;dhen Chèitean;dhen Ògmhios;dhen Iuchar;dhen Lùnastal;dhen t-Sultain;dhen Dàmhair;dhen t-Samhain;dhen Dùbhlachd
    m Faoi;Gearr;Màrt;Gibl;Cèit;Ògmh;Iuch;Lùna;Sult;Dàmh;Samh;Dùbh
    L Am Faoilleach;An Gearran;Am Màrt;An Giblean;An Cèitean;An t-Ògmhios;An t-Iuchar;An Lùnastal;An t-Sultain;An Dàmhair;An t-Samhain;An Dùbhlachd
    p m;f
    d EEEE, d MMMM
    x àèìòù
    #gl
    n Galician;galego
    r ES
    W domingo;luns;martes;mércores;xoves;venres;sábado
    w dom.;luns;mar.;mér.;xov.;ven.;sáb.
    S Domingo;Luns;Martes;Mércores;Xoves;Venres;Sábado
    s Dom.;Luns;Mar.;Mér.;Xov.;Ven.;Sáb.
    M xaneiro;febreiro;marzo;abril;maio;xuño;xullo;agosto;setembro;outubro;novembro;decembro
    m xan.;feb.;mar.;abr.;maio;xuño;xul.;ago.;set.;out.;nov.;dec.
    L Xaneiro;Febreiro;Marzo;Abril;Maio;Xuño;Xullo;Agosto;Setembro;Outubro;Novembro;Decembro
    l Xan.;Feb.;Mar.;Abr.;Maio;Xuño;Xul.;Ago.;Set.;Out.;Nov.;Dec.
    p a.m.;p.m.
    d EEEE, d' de 'MMMM
    x áéíïñóúü
    #gu
    n Gujarati;ગુજરાતી
    r IN
    W રવિવાર;સોમવાર;મંગળવાર;બુધવાર;ગુરુવાર;શુક્રવાર;શનિવાર
    w રવિ;સોમ;મંગળ;બુધ;ગુરુ;શુક્ર;શનિ
    M જાન્યુઆરી;ફેબ્રુઆરી;માર્ચ;એપ્રિલ;મે;જૂન;જુલાઈ;ઑગસ્ટ;સપ્ટેમ્બર;ઑક્ટોબર;નવેમ્બર;ડિસેમ્બર
    m જાન્યુ;ફેબ્રુ;માર્ચ;એપ્રિલ;મે;જૂન;જુલાઈ;ઑગસ્ટ;સપ્ટે;ઑક્ટો;નવે;ડિસે
    d EEEE, d MMMM
    0 ૦૧૨૩૪૫૬૭૮૯
    x ૐઅઆઇઈઉઊઋૠઍએઐઑઓઔકખગઘઙચછજઝઞટઠડઢણતથદધનપફબભમયરલવશષસહળઽ
    #he
    n Hebrew;עברית
    r IL
    W יום ראשון;יום שני;יום שלישי;יום רביעי;יום חמישי;יום שישי;יום שבת
    w יום א׳;יום ב׳;יום ג׳;יום ד׳;יום ה׳;יום ו׳;שבת
    M ינואר;פברואר;מרץ;אפריל;מאי;יוני;יולי;אוגוסט;ספטמבר;אוקטובר;נובמבר;דצמבר
    m ינו׳;פבר׳;מרץ;אפר׳;מאי;יוני;יולי;אוג׳;ספט׳;אוק׳;נוב׳;דצמ׳
    p לפנה״צ;אחה״צ
    d EEEE, d בMMMM
    o r
    x אבגדהוזחטיכךלמםנןסעפףצץקרשת
    #hi
    n Hindi;हिन्दी
    r IN
    W रविवार;सोमवार;मंगलवार;बुधवार;गुरुवार;शुक्रवार;शनिवार
    w रवि;सोम;मंगल;बुध;गुरु;शुक्र;शनि
    M जनवरी;फ़रवरी;मार्च;अप्रैल;मई;जून;जुलाई;अगस्त;सितंबर;अक्तूबर;नवंबर;दिसंबर
    m जन॰;फ़र॰;मार्च;अप्रैल;मई;जून;जुल॰;अग॰;सित॰;अक्तू॰;नव॰;दिस॰
    p am;pm
    d EEEE, d MMMM
    0 ०१२३४५६७८९
    x ॐअआइईउऊऋऌऍएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसहऽ
    #hi-Latn
    W ravivaar;somvaar;mangalvaar;budhvaar;guruvaar;shukravaar;shanivaar
    w ravi;som;mangal;budh;guru;shukra;shani
    M January;February;March;April;May;June;July;August;September;October;November;December
    m Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec
    l Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sept;Oct;Nov;Dec
    p AM;PM
    0 0123456789
    x
    #hr
    n Croatian;hrvatski
    r HR
    W nedjelja;ponedjeljak;utorak;srijeda;četvrtak;petak;subota
    w ned;pon;uto;sri;čet;pet;sub
    M siječnja;veljače;ožujka;travnja;svibnja;lipnja;srpnja;kolovoza;rujna;listopada;studenoga;prosinca
    m sij;velj;ožu;tra;svi;lip;srp;kol;ruj;lis;stu;pro
    L siječanj;veljača;ožujak;travanj;svibanj;lipanj;srpanj;kolovoz;rujan;listopad;studeni;prosinac
    d EEEE, d. MMMM
    x čćđšž
    #hu
    n Hungarian;magyar
    r HU
    W vasárnap;hétfő;kedd;szerda;csütörtök;péntek;szombat
    w V;H;K;Sze;Cs;P;Szo
    M január;február;március;április;május;június;július;augusztus;szeptember;október;november;december
    m jan.;febr.;márc.;ápr.;máj.;jún.;júl.;aug.;szept.;okt.;nov.;dec.
    p de.;du.
    d MMMM d., EEEE
    x áéíóöőúüű
    #hy
    n Armenian;հայերեն
    r AM
    W կիրակի;երկուշաբթի;երեքշաբթի;չորեքշաբթի;հինգշաբթի;ուրբաթ;շաբաթ
    w կիր;երկ;երք;չրք;հնգ;ուր;շբթ
    M հունվարի;փետրվարի;մարտի;ապրիլի;մայիսի;հունիսի;հուլիսի;օգոստոսի;սեպտեմբերի;հոկտեմբերի;նոյեմբերի;դեկտեմբերի
    m հնվ;փտվ;մրտ;ապր;մյս;հնս;հլս;օգս;սեպ;հոկ;նոյ;դեկ
    L հունվար;փետրվար;մարտ;ապրիլ;մայիս;հունիս;հուլիս;օգոստոս;սեպտեմբեր;հոկտեմբեր;նոյեմբեր;դեկտեմբեր
    d d MMMM, EEEE
    x աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ
    #ia
    n Interlingua;interlingua
    r 001
    W dominica;lunedi;martedi;mercuridi;jovedi;venerdi;sabbato
    w dom;lun;mar;mer;jov;ven;sab
    M januario;februario;martio;april;maio;junio;julio;augusto;septembre;octobre;novembre;decembre
    m jan;feb;mar;apr;mai;jun;jul;aug;sep;oct;nov;dec
    d EEEE d MMMM
    #id
    n Indonesian;Indonesia
    r ID
    W Minggu;Senin;Selasa;Rabu;Kamis;Jumat;Sabtu
    w Min;Sen;Sel;Rab;Kam;Jum;Sab
    M Januari;Februari;Maret;April;Mei;Juni;Juli;Agustus;September;Oktober;November;Desember
    m Jan;Feb;Mar;Apr;Mei;Jun;Jul;Agu;Sep;Okt;Nov;Des
    d EEEE, d MMMM
    #is
    n Icelandic;íslenska
    r IS
    W sunnudagur;mánudagur;þriðjudagur;miðvikudagur;fimmtudagur;föstudagur;laugardagur
    w sun.;mán.;þri.;mið.;fim.;fös.;lau.
    M janúar;febrúar;mars;apríl;maí;júní;júlí;ágúst;september;október;nóvember;desember
    m jan.;feb.;mar.;apr.;maí;jún.;júl.;ágú.;sep.;okt.;nóv.;des.
    p f.h.;e.h.
    d EEEE, d. MMMM
    x áðéíóúýþæö
    #it
    n Italian;italiano
    r IT
    W domenica;lunedì;martedì;mercoledì;giovedì;venerdì;sabato
    w dom;lun;mar;mer;gio;ven;sab
    M gennaio;febbraio;marzo;aprile;maggio;giugno;luglio;agosto;settembre;ottobre;novembre;dicembre
    m gen;feb;mar;apr;mag;giu;lug;ago;set;ott;nov;dic
    d EEEE d MMMM
    t EcML
    x àéèìóòù
    #ja
    n Japanese;日本語
    r JP
    W 日曜日;月曜日;火曜日;水曜日;木曜日;金曜日;土曜日
    w 日;月;火;水;木;金;土
    M 1月;2月;3月;4月;5月;6月;7月;8月;9月;10月;11月;12月
    m 1月;2月;3月;4月;5月;6月;7月;8月;9月;10月;11月;12月
    p 午前;午後
    d M月d日EEEE
    #ka
    n Georgian;ქართული
    r GE
    W კვირა;ორშაბათი;სამშაბათი;ოთხშაბათი;ხუთშაბათი;პარასკევი;შაბათი
    w კვი;ორშ;სამ;ოთხ;ხუთ;პარ;შაბ
    M იანვარი;თებერვალი;მარტი;აპრილი;მაისი;ივნისი;ივლისი;აგვისტო;სექტემბერი;ოქტომბერი;ნოემბერი;დეკემბერი
    m იან;თებ;მარ;აპრ;მაი;ივნ;ივლ;აგვ;სექ;ოქტ;ნოე;დეკ
    d EEEE, d MMMM
    x აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ
    #kk
    n Kazakh;қазақ тілі
    r KZ
    W жексенбі;дүйсенбі;сейсенбі;сәрсенбі;бейсенбі;жұма;сенбі
    w жс;дс;сс;ср;бс;жм;сб
    M қаңтар;ақпан;наурыз;сәуір;мамыр;маусым;шілде;тамыз;қыркүйек;қазан;қараша;желтоқсан
    m қаң.;ақп.;нау.;сәу.;мам.;мау.;шіл.;там.;қыр.;қаз.;қар.;жел.
    L Қаңтар;Ақпан;Наурыз;Сәуір;Мамыр;Маусым;Шілде;Тамыз;Қыркүйек;Қазан;Қараша;Желтоқсан
    d d MMMM, EEEE
    x аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя
    #km
    n Khmer;ខ្មែរ
    r KH
    W អាទិត្យ;ច័ន្ទ;អង្គារ;ពុធ;ព្រហស្បតិ៍;សុក្រ;សៅរ៍
    w អាទិត្យ;ចន្ទ;អង្គារ;ពុធ;ព្រហ;សុក្រ;សៅរ៍
    S អាទិត្យ;ចន្ទ;អង្គារ;ពុធ;ព្រហស្បតិ៍;សុក្រ;សៅរ៍
    M មករា;កុម្ភៈ;មីនា;មេសា;ឧសភា;មិថុនា;កក្កដា;សីហា;កញ្ញា;តុលា;វិច្ឆិកា;ធ្នូ
    m មករា;កុម្ភៈ;មីនា;មេសា;ឧសភា;មិថុនា;កក្កដា;សីហា;កញ្ញា;តុលា;វិច្ឆិកា;ធ្នូ
    d EEEE d MMMM
    0 ០១២៣៤៥៦៧៨៩
    x កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរឫឬលឭឮវសហឡអឥឦឧឩឪឯឰឱឲឳ
    #kn
    n Kannada;ಕನ್ನಡ
    r IN
    W ಭಾನುವಾರ;ಸೋಮವಾರ;ಮಂಗಳವಾರ;ಬುಧವಾರ;ಗುರುವಾರ;ಶುಕ್ರವಾರ;ಶನಿವಾರ
    w ಭಾನು;ಸೋಮ;ಮಂಗಳ;ಬುಧ;ಗುರು;ಶುಕ್ರ;ಶನಿ
    M ಜನವರಿ;ಫೆಬ್ರವರಿ;ಮಾರ್ಚ್;ಏಪ್ರಿಲ್;ಮೇ;ಜೂನ್;ಜುಲೈ;ಆಗಸ್ಟ್;ಸೆಪ್ಟೆಂಬರ್;ಅಕ್ಟೋಬರ್;ನವೆಂಬರ್;ಡಿಸೆಂಬರ್
    m ಜನವರಿ;ಫೆಬ್ರವರಿ;ಮಾರ್ಚ್;ಏಪ್ರಿ;ಮೇ;ಜೂನ್;ಜುಲೈ;ಆಗ;ಸೆಪ್ಟೆಂ;ಅಕ್ಟೋ;ನವೆಂ;ಡಿಸೆಂ
    l ಜನ;ಫೆಬ್ರ;ಮಾರ್ಚ್;ಏಪ್ರಿ;ಮೇ;ಜೂನ್;ಜುಲೈ;ಆಗ;ಸೆಪ್ಟೆಂ;ಅಕ್ಟೋ;ನವೆಂ;ಡಿಸೆಂ
    p ಪೂ;ಅ
    d EEEE, d MMMM
    0 ೦೧೨೩೪೫೬೭೮೯
    x ಅಆಇಈಉಊಋೠಌೡಎಏಐಒಓಔಕಖಗಘಙಚಛಜಝಞಟಠಡಢಣತಥದಧನಪಫಬಭಮಯರಱಲವಶಷಸಹಳಽ
    #ko
    n Korean;한국어
    r KR
    W 일요일;월요일;화요일;수요일;목요일;금요일;토요일
    w 일;월;화;수;목;금;토
    M 1월;2월;3월;4월;5월;6월;7월;8월;9월;10월;11월;12월
    m 1월;2월;3월;4월;5월;6월;7월;8월;9월;10월;11월;12월
    d MMMM d일 EEEE
    #ky
    n Kyrgyz;кыргызча
    r KG
    W жекшемби;дүйшөмбү;шейшемби;шаршемби;бейшемби;жума;ишемби
    w жек.;дүй.;шейш.;шарш.;бейш.;жума;ишм.
    M январь;февраль;март;апрель;май;июнь;июль;август;сентябрь;октябрь;ноябрь;декабрь
    m янв.;фев.;мар.;апр.;май;июн.;июл.;авг.;сен.;окт.;ноя.;дек.
    L Январь;Февраль;Март;Апрель;Май;Июнь;Июль;Август;Сентябрь;Октябрь;Ноябрь;Декабрь
    l Янв;Фев;Мар;Апр;Май;Июн;Июл;Авг;Сен;Окт;Ноя;Дек
    p тң;тк
    d d-MMMM, EEEE
    x абгдеёжзийклмнңоөпрстуүхчшъыэюя
    #lb
    n Luxembourgish;Lëtzebuergesch
    r LU
    W Sonndeg;Méindeg;Dënschdeg;Mëttwoch;Donneschdeg;Freideg;Samschdeg
    w Son.;Méi.;Dën.;Mët.;Don.;Fre.;Sam.
    s Son;Méi;Dën;Mët;Don;Fre;Sam
    M Januar;Februar;Mäerz;Abrëll;Mee;Juni;Juli;August;September;Oktober;November;Dezember
    m Jan.;Feb.;Mäe.;Abr.;Mee;Juni;Juli;Aug.;Sep.;Okt.;Nov.;Dez.
    l Jan;Feb;Mäe;Abr;Mee;Jun;Jul;Aug;Sep;Okt;Nov;Dez
    p mo.;nomë.
    d EEEE, d. MMMM
    x äéë
    #lo
    n Lao;ລາວ
    r LA
    W ວັນອາທິດ;ວັນຈັນ;ວັນອັງຄານ;ວັນພຸດ;ວັນພະຫັດ;ວັນສຸກ;ວັນເສົາ
    w ອາທິດ;ຈັນ;ອັງຄານ;ພຸດ;ພະຫັດ;ສຸກ;ເສົາ
    M ມັງກອນ;ກຸມພາ;ມີນາ;ເມສາ;ພຶດສະພາ;ມິຖຸນາ;ກໍລະກົດ;ສິງຫາ;ກັນຍາ;ຕຸລາ;ພະຈິກ;ທັນວາ
    m ມ.ກ.;ກ.ພ.;ມ.ນ.;ມ.ສ.;ພ.ພ.;ມິ.ຖ.;ກ.ລ.;ສ.ຫ.;ກ.ຍ.;ຕ.ລ.;ພ.ຈ.;ທ.ວ.
    p ກ່ອນທ່ຽງ;ຫຼັງທ່ຽງ
    d EEEE d MMMM
    0 ໐໑໒໓໔໕໖໗໘໙
    x ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫໜໝອຮຯະາຽເແໂໃໄ
    #lt
    n Lithuanian;lietuvių
    r LT
    W sekmadienis;pirmadienis;antradienis;trečiadienis;ketvirtadienis;penktadienis;šeštadienis
    w sk;pr;an;tr;kt;pn;št
    M sausio;vasario;kovo;balandžio;gegužės;birželio;liepos;rugpjūčio;rugsėjo;spalio;lapkričio;gruodžio
    m saus.;vas.;kov.;bal.;geg.;birž.;liep.;rugp.;rugs.;spal.;lapkr.;gruod.
    L sausis;vasaris;kovas;balandis;gegužė;birželis;liepa;rugpjūtis;rugsėjis;spalis;lapkritis;gruodis
    p pr. p.;pop.
    d MMMM d' d., 'EEEE
    x ąčęėįšųūž
    #lv
    n Latvian;latviešu
    r LV
    W svētdiena;pirmdiena;otrdiena;trešdiena;ceturtdiena;piektdiena;sestdiena
    w svētd.;pirmd.;otrd.;trešd.;ceturtd.;piektd.;sestd.
    S Svētdiena;Pirmdiena;Otrdiena;Trešdiena;Ceturtdiena;Piektdiena;Sestdiena
    s Svētd.;Pirmd.;Otrd.;Trešd.;Ceturtd.;Piektd.;Sestd.
    M janvāris;februāris;marts;aprīlis;maijs;jūnijs;jūlijs;augusts;septembris;oktobris;novembris;decembris
    m janv.;febr.;marts;apr.;maijs;jūn.;jūl.;aug.;sept.;okt.;nov.;dec.
    p priekšp.;pēcp.
    d EEEE, d. MMMM
    x āčēģīķļņšūž
    #mk
    n Macedonian;македонски
    r MK
    W недела;понеделник;вторник;среда;четврток;петок;сабота
    w нед.;пон.;вто.;сре.;чет.;пет.;саб.
    M јануари;февруари;март;април;мај;јуни;јули;август;септември;октомври;ноември;декември
    m јан.;фев.;мар.;апр.;мај;јун.;јул.;авг.;септ.;окт.;ноем.;дек.
    p претпл.;попл.
    d EEEE, d MMMM
    x абвгдѓежзѕијклљмнњопрстќуфхцчџш
    #ml
    n Malayalam;മലയാളം
    r IN
    W ഞായറാഴ്‌ച;തിങ്കളാഴ്‌ച;ചൊവ്വാഴ്ച;ബുധനാഴ്‌ച;വ്യാഴാഴ്‌ച;വെള്ളിയാഴ്‌ച;ശനിയാഴ്‌ച
    w ഞായർ;തിങ്കൾ;ചൊവ്വ;ബുധൻ;വ്യാഴം;വെള്ളി;ശനി
    S ഞായറാഴ്‌ച;തിങ്കളാഴ്‌ച;ചൊവ്വാഴ്‌ച;ബുധനാഴ്‌ച;വ്യാഴാഴ്‌ച;വെള്ളിയാഴ്‌ച;ശനിയാഴ്‌ച
    M ജനുവരി;ഫെബ്രുവരി;മാർച്ച്;ഏപ്രിൽ;മേയ്;ജൂൺ;ജൂലൈ;ഓഗസ്റ്റ്;സെപ്റ്റംബർ;ഒക്‌ടോബർ;നവംബർ;ഡിസംബർ
    m ജനു;ഫെബ്രു;മാർ;ഏപ്രി;മേയ്;ജൂൺ;ജൂലൈ;ഓഗ;സെപ്റ്റം;ഒക്ടോ;നവം;ഡിസം
    d MMMM d, EEEE
    0 ൦൧൨൩൪൫൬൭൮൯
    x അആഇഈഉഊഋൠഌൡഎഏഐഒഓഔകൿഖഗഘങചഛജഝഞടഠഡഢണൺതഥദധനൻപഫബഭമയരർലൽവശഷസഹളൾഴറ
    #mn
    n Mongolian;монгол
    r MN
    W ням;даваа;мягмар;лхагва;пүрэв;баасан;бямба
    w Ня;Да;Мя;Лх;Пү;Ба;Бя
    S Ням;Даваа;Мягмар;Лхагва;Пүрэв;Баасан;Бямба
    M нэгдүгээр сар;хоёрдугаар сар;гуравдугаар сар;дөрөвдүгээр сар;тавдугаар сар;зургаадугаар сар;долоодугаар сар;наймдугаар сар;есдүгээр сар;аравдугаар сар;арван нэгдүгээр сар;арван хоёрдугаар сар
    m 1-р сар;2-р сар;3-р сар;4-р сар;5-р сар;6-р сар;7-р сар;8-р сар;9-р сар;10-р сар;11-р сар;12-р сар
    L Нэгдүгээр сар;Хоёрдугаар сар;Гуравдугаар сар;Дөрөвдүгээр сар;Тавдугаар сар;Зургаадугаар сар;Долоодугаар сар;Наймдугаар сар;Есдүгээр сар;Аравдугаар сар;Арван нэгдүгээр сар;Арван хоёрдугаар сар
    p ү.ө.;ү.х.
    d MMMMын d. EEEE
    x абвгдеёжзийклмноөпрстуүфхцчшщъыьэюя
    #mr
    n Marathi;मराठी
    r IN
    W रविवार;सोमवार;मंगळवार;बुधवार;गुरुवार;शुक्रवार;शनिवार
    w रवि;सोम;मंगळ;बुध;गुरु;शुक्र;शनि
    M जानेवारी;फेब्रुवारी;मार्च;एप्रिल;मे;जून;जुलै;ऑगस्ट;सप्टेंबर;ऑक्टोबर;नोव्हेंबर;डिसेंबर
    m जाने;फेब्रु;मार्च;एप्रि;मे;जून;जुलै;ऑग;सप्टें;ऑक्टो;नोव्हें;डिसें
    d EEEE, d MMMM
    0 ०१२३४५६७८९
    x ॐअआइईउऊऋऌऍएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरऱलवशषसहळऽ
    #ms
    n Malay;Melayu
    r MY
    W Ahad;Isnin;Selasa;Rabu;Khamis;Jumaat;Sabtu
    w Ahd;Isn;Sel;Rab;Kha;Jum;Sab
    M Januari;Februari;Mac;April;Mei;Jun;Julai;Ogos;September;Oktober;November;Disember
    m Jan;Feb;Mac;Apr;Mei;Jun;Jul;Ogo;Sep;Okt;Nov;Dis
    p PG;PTG
    d EEEE, d MMMM
    #mt
    n Maltese;Malti
    r MT
    W Il-Ħadd;It-Tnejn;It-Tlieta;L-Erbgħa;Il-Ħamis;Il-Ġimgħa;Is-Sibt
    w Ħad;Tne;Tli;Erb;Ħam;Ġim;Sib
    M Jannar;Frar;Marzu;April;Mejju;Ġunju;Lulju;Awwissu;Settembru;Ottubru;Novembru;Diċembru
    m Jan;Fra;Mar;Apr;Mej;Ġun;Lul;Aww;Set;Ott;Nov;Diċ
    d EEEE, d' ta’ 'MMMM
    x àċèġħìòùż
    #my
    n Burmese;မြန်မာ
    r MM
    W တနင်္ဂနွေ;တနင်္လာ;အင်္ဂါ;ဗုဒ္ဓဟူး;ကြာသပတေး;သောကြာ;စနေ
    w တနင်္ဂနွေ;တနင်္လာ;အင်္ဂါ;ဗုဒ္ဓဟူး;ကြာသပတေး;သောကြာ;စနေ
    M ဇန်နဝါရီ;ဖေဖော်ဝါရီ;မတ်;ဧပြီ;မေ;ဇွန်;ဇူလိုင်;ဩဂုတ်;စက်တင်ဘာ;အောက်တိုဘာ;နိုဝင်ဘာ;ဒီဇင်ဘာ
    m ဇန်;ဖေ;မတ်;ဧ;မေ;ဇွန်;ဇူ;ဩ;စက်;အောက်;နို;ဒီ
    p နံနက်;ညနေ
    d MMMM d ရက် EEEEနေ့
    0 ၀၁၂၃၄၅၆၇၈၉
    x ကခဂဃငစဆဇဈဉညဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟဠအဣဤဥဦဧဩဪဿ
    #nb
    n Norwegian Bokmål;norsk bokmål
    r NO
    W søndag;mandag;tirsdag;onsdag;torsdag;fredag;lørdag
    w søn.;man.;tir.;ons.;tor.;fre.;lør.
    M januar;februar;mars;april;mai;juni;juli;august;september;oktober;november;desember
    m jan.;feb.;mar.;apr.;mai;jun.;jul.;aug.;sep.;okt.;nov.;des.
    l jan;feb;mar;apr;mai;jun;jul;aug;sep;okt;nov;des
    p a.m.;p.m.
    d EEEE d. MMMM
    x àéóòôæøå
    #ne
    n Nepali;नेपाली
    r NP
    W आइतबार;सोमबार;मङ्गलबार;बुधबार;बिहिबार;शुक्रबार;शनिबार
    w आइत;सोम;मङ्गल;बुध;बिहि;शुक्र;शनि
    M जनवरी;फेब्रुअरी;मार्च;अप्रिल;मे;जुन;जुलाई;अगस्ट;सेप्टेम्बर;अक्टोबर;नोभेम्बर;डिसेम्बर
    m जनवरी;फेब्रुअरी;मार्च;अप्रिल;मे;जुन;जुलाई;अगस्ट;सेप्टेम्बर;अक्टोबर;नोभेम्बर;डिसेम्बर
    p पूर्वाह्न;अपराह्न
    d MMMM d, EEEE
    0 ०१२३४५६७८९
    x ॐअआइईउऊऋऌऍएऐऑओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसहऽ
    #nl
    n Dutch;Nederlands
    r NL
    W zondag;maandag;dinsdag;woensdag;donderdag;vrijdag;zaterdag
    w zo;ma;di;wo;do;vr;za
    M januari;februari;maart;april;mei;juni;juli;augustus;september;oktober;november;december
    m jan.;feb.;mrt.;apr.;mei;jun.;jul.;aug.;sep.;okt.;nov.;dec.
    p a.m.;p.m.
    d EEEE d MMMM
    t EcML
    x áäéëíïóöúü
    #nn
    n Norwegian Nynorsk;norsk nynorsk
    r NO
    W søndag;måndag;tysdag;onsdag;torsdag;fredag;laurdag
    w sø.;må.;ty.;on.;to.;fr.;la.
    s søn;mån;tys;ons;tor;fre;lau
    M januar;februar;mars;april;mai;juni;juli;august;september;oktober;november;desember
    m jan.;feb.;mars;apr.;mai;juni;juli;aug.;sep.;okt.;nov.;des.
    l jan;feb;mar;apr;mai;jun;jul;aug;sep;okt;nov;des
    p f.m.;e.m.
    d EEEE d. MMMM
    x àéóòôæøå
    #or
    n Odia;ଓଡ଼ିଆ
    r IN
    W ରବିବାର;ସୋମବାର;ମଙ୍ଗଳବାର;ବୁଧବାର;ଗୁରୁବାର;ଶୁକ୍ରବାର;ଶନିବାର
    w ରବି;ସୋମ;ମଙ୍ଗଳ;ବୁଧ;ଗୁରୁ;ଶୁକ୍ର;ଶନି
    M ଜାନୁଆରୀ;ଫେବୃଆରୀ;ମାର୍ଚ୍ଚ;ଅପ୍ରେଲ;ମଇ;ଜୁନ;ଜୁଲାଇ;ଅଗଷ୍ଟ;ସେପ୍ଟେମ୍ବର;ଅକ୍ଟୋବର;ନଭେମ୍ବର;ଡିସେମ୍ବର
    m ଜାନୁଆରୀ;ଫେବୃଆରୀ;ମାର୍ଚ୍ଚ;ଅପ୍ରେଲ;ମଇ;ଜୁନ;ଜୁଲାଇ;ଅଗଷ୍ଟ;ସେପ୍ଟେମ୍ବର;ଅକ୍ଟୋବର;ନଭେମ୍ବର;ଡିସେମ୍ବର
    d EEEE, MMMM d
    0 ୦୧୨୩୪୫୬୭୮୯
    x ଅଆଇଈଉଊଋଏଐଓଔକଖଗଘଙଚଛଜଝଞଟଠଡଢଣତଥଦଧନପଫବଭମଯୟରଲଳଵୱଶଷସହ
    #pa
    n Punjabi;ਪੰਜਾਬੀ
    r IN
    W ਐਤਵਾਰ;ਸੋਮਵਾਰ;ਮੰਗਲਵਾਰ;ਬੁੱਧਵਾਰ;ਵੀਰਵਾਰ;ਸ਼ੁੱਕਰਵਾਰ;ਸ਼ਨਿੱਚਰਵਾਰ
    w ਐਤ;ਸੋਮ;ਮੰਗਲ;ਬੁੱਧ;ਵੀਰ;ਸ਼ੁੱਕਰ;ਸ਼ਨਿੱਚਰ
    M ਜਨਵਰੀ;ਫ਼ਰਵਰੀ;ਮਾਰਚ;ਅਪ੍ਰੈਲ;ਮਈ;ਜੂਨ;ਜੁਲਾਈ;ਅਗਸਤ;ਸਤੰਬਰ;ਅਕਤੂਬਰ;ਨਵੰਬਰ;ਦਸੰਬਰ
    m ਜਨ;ਫ਼ਰ;ਮਾਰਚ;ਅਪ੍ਰੈ;ਮਈ;ਜੂਨ;ਜੁਲਾ;ਅਗ;ਸਤੰ;ਅਕਤੂ;ਨਵੰ;ਦਸੰ
    p ਸ.;ਸ਼.
    d EEEE, d MMMM
    0 ੦੧੨੩੪੫੬੭੮੯
    x ੴੳਉਊਓਅਆਐਔੲਇਈਏਸਹਕਖਗਘਙਚਛਜਝਞਟਠਡਢਣਤਥਦਧਨਪਫਬਭਮਯਰਲਵੜ
    #pl
    n Polish;polski
    r PL
    W niedziela;poniedziałek;wtorek;środa;czwartek;piątek;sobota
    w niedz.;pon.;wt.;śr.;czw.;pt.;sob.
    M stycznia;lutego;marca;kwietnia;maja;czerwca;lipca;sierpnia;września;października;listopada;grudnia
    m sty;lut;mar;kwi;maj;cze;lip;sie;wrz;paź;lis;gru
    L styczeń;luty;marzec;kwiecień;maj;czerwiec;lipiec;sierpień;wrzesień;październik;listopad;grudzień
    d EEEE, d MMMM
    t EcML
    x ąćęłńóśźż
    #pt
    n Portuguese;português
    r BR
    W domingo;segunda-feira;terça-feira;quarta-feira;quinta-feira;sexta-feira;sábado
    w dom.;seg.;ter.;qua.;qui.;sex.;sáb.
    M janeiro;fevereiro;março;abril;maio;junho;julho;agosto;setembro;outubro;novembro;dezembro
    m jan.;fev.;mar.;abr.;mai.;jun.;jul.;ago.;set.;out.;nov.;dez.
    d EEEE, d' de 'MMMM
    t Ec
    x áàâãçéêíóòôõú
    #pt-AO pt-CH pt-CV pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-PT pt-ST pt-TL
    w domingo;segunda;terça;quarta;quinta;sexta;sábado
    p a.m.;p.m.
    d cccc, d' de 'MMMM
    #rm
    n Romansh;rumantsch
    r CH
    W dumengia;glindesdi;mardi;mesemna;gievgia;venderdi;sonda
    w du;gli;ma;me;gie;ve;so
    M da schaner;da favrer;da mars;d’avrigl;da matg;da zercladur;da fanadur;d’avust;da settember;d’october;da november;da december
    m schan.;favr.;mars;avr.;matg;zercl.;fan.;avust;sett.;oct.;nov.;dec.
    L schaner;favrer;mars;avrigl;matg;zercladur;fanadur;avust;settember;october;november;december
    d EEEE, d MMMM
    x àéèìòù
    #ro
    n Romanian;română
    r RO
    W duminică;luni;marți;miercuri;joi;vineri;sâmbătă
    w dum.;lun.;mar.;mie.;joi;vin.;sâm.
    M ianuarie;februarie;martie;aprilie;mai;iunie;iulie;august;septembrie;octombrie;noiembrie;decembrie
    m ian.;feb.;mar.;apr.;mai;iun.;iul.;aug.;sept.;oct.;nov.;dec.
    p a.m.;p.m.
    d EEEE, d MMMM
    x ăâîșț
    #ro-MD
    w Dum;Lun;Mar;Mie;Joi;Vin;Sâm
    #ru
    n Russian;русский
    r RU
    W воскресенье;понедельник;вторник;среда;четверг;пятница;суббота
    w вс;пн;вт;ср;чт;пт;сб
    M января;февраля;марта;апреля;мая;июня;июля;августа;сентября;октября;ноября;декабря
    m янв.;февр.;мар.;апр.;мая;июн.;июл.;авг.;сент.;окт.;нояб.;дек.
    L январь;февраль;март;апрель;май;июнь;июль;август;сентябрь;октябрь;ноябрь;декабрь
    l янв.;февр.;март;апр.;май;июнь;июль;авг.;сент.;окт.;нояб.;дек.
    d cccc, d MMMM
    t EcML
    x абвгдеёжзийклмнопрстуфхцчшщъыьэюя
    #si
    n Sinhala;සිංහල
    r LK
    W ඉරිදා;සඳුදා;අඟහරුවාදා;බදාදා;බ්‍රහස්පතින්දා;සිකුරාදා;සෙනසුරාදා
    w ඉරිදා;සඳුදා;අඟහ;බදාදා;බ්‍රහස්;සිකු;සෙන
    M ජනවාරි;පෙබරවාරි;මාර්තු;අප්‍රේල්;මැයි;ජූනි;ජූලි;අගෝස්තු;සැප්තැම්බර්;ඔක්තෝබර්;නොවැම්බර්;දෙසැම්බර්
    m ජන;පෙබ;මාර්තු;අප්‍රේල්;මැයි;ජූනි;ජූලි;අගෝ;සැප්;ඔක්;නොවැ;දෙසැ
    l ජන;පෙබ;මාර්;අප්‍රේල්;මැයි;ජූනි;ජූලි;අගෝ;සැප්;ඔක්;නොවැ;දෙසැ
    p පෙ;ප
    d MMMM d EEEE
    x අආඇඈඉඊඋඌඍඑඒඓඔඕඖකඛගඝඞඟචඡජඣඥඤටඨඩඪණඬතථදධනඳපඵබභමඹයරලවශෂසහළෆ
    #sk
    n Slovak;slovenčina
    r SK
    W nedeľa;pondelok;utorok;streda;štvrtok;piatok;sobota
    w ne;po;ut;st;št;pi;so
    M januára;februára;marca;apríla;mája;júna;júla;augusta;septembra;októbra;novembra;decembra
    m jan;feb;mar;apr;máj;jún;júl;aug;sep;okt;nov;dec
    L január;február;marec;apríl;máj;jún;júl;august;september;október;november;december
    d EEEE d. MMMM
    x áäčďéíĺľňóôŕšťúýž
    #sl
    n Slovenian;slovenščina
    r SI
    W nedelja;ponedeljek;torek;sreda;četrtek;petek;sobota
    w ned.;pon.;tor.;sre.;čet.;pet.;sob.
    M januar;februar;marec;april;maj;junij;julij;avgust;september;oktober;november;december
    m jan.;feb.;mar.;apr.;maj;jun.;jul.;avg.;sep.;okt.;nov.;dec.
    p dop.;pop.
    d EEEE, d. MMMM
    x čšž
    #sq
    n Albanian;shqip
    r AL
    W e diel;e hënë;e martë;e mërkurë;e enjte;e premte;e shtunë
    w Die;Hën;Mar;Mër;Enj;Pre;Sht
    s die;hën;mar;mër;enj;pre;sht
    M janar;shkurt;mars;prill;maj;qershor;korrik;gusht;shtator;tetor;nëntor;dhjetor
    m jan;shk;mar;pri;maj;qer;korr;gush;sht;tet;nën;dhj
    p p.d.;m.d.
    d EEEE, d MMMM
    x çë
    #sr
    n Serbian;српски
    r RS
    W недеља;понедељак;уторак;среда;четвртак;петак;субота
    w нед;пон;уто;сре;чет;пет;суб
    M јануар;фебруар;март;април;мај;јун;јул;август;септембар;октобар;новембар;децембар
    m јан;феб;мар;апр;мај;јун;јул;авг;сеп;окт;нов;дец
    d EEEE, d. MMMM
    x абвгдђежзијклљмнњопрстћуфхцчџш
    #sr-BA
    W недјеља;понедјељак;уторак;сриједа;четвртак;петак;субота
    s нед;пон;уто;сри;чет;пет;суб
    p прије подне;по подне
    #sr-Latn
    W nedelja;ponedeljak;utorak;sreda;četvrtak;petak;subota
    w ned;pon;uto;sre;čet;pet;sub
    M januar;februar;mart;april;maj;jun;jul;avgust;septembar;oktobar;novembar;decembar
    m jan;feb;mar;apr;maj;jun;jul;avg;sep;okt;nov;dec
    x čćđšž
    #sr-ME
    W недјеља;понедељак;уторак;сриједа;четвртак;петак;субота
    m јан;феб;март;апр;мај;јун;јул;авг;септ;окт;нов;дец
    p прије подне;по подне
    #sr-XK
    m јан;феб;март;апр;мај;јун;јул;авг;септ;окт;нов;дец
    #sr-Latn-BA
    W nedjelja;ponedjeljak;utorak;srijeda;četvrtak;petak;subota
    s ned;pon;uto;sri;čet;pet;sub
    #sr-Latn-ME
    W nedjelja;ponedeljak;utorak;srijeda;četvrtak;petak;subota
    m jan;feb;mart;apr;maj;jun;jul;avg;sept;okt;nov;dec
    #sr-Latn-XK
    m jan;feb;mart;apr;maj;jun;jul;avg;sept;okt;nov;dec
    #sv
    n Swedish;svenska
    r SE
    W söndag;måndag;tisdag;onsdag;torsdag;fredag;lördag
    w sön;mån;tis;ons;tors;fre;lör
    M januari;februari;mars;april;maj;juni;juli;augusti;september;oktober;november;december
    m jan.;feb.;mars;apr.;maj;juni;juli;aug.;sep.;okt.;nov.;dec.
    p fm;em
    d EEEE d MMMM
    x àéåäö
    #sw
    n Swahili;Kiswahili
    r TZ
    W Jumapili;Jumatatu;Jumanne;Jumatano;Alhamisi;Ijumaa;Jumamosi
    w Jumapili;Jumatatu;Jumanne;Jumatano;Alhamisi;Ijumaa;Jumamosi
    M Januari;Februari;Machi;Aprili;Mei;Juni;Julai;Agosti;Septemba;Oktoba;Novemba;Desemba
    m Jan;Feb;Mac;Apr;Mei;Jun;Jul;Ago;Sep;Okt;Nov;Des
    d EEEE, d MMMM
    #ta
    n Tamil;தமிழ்
    r IN
    W ஞாயிறு;திங்கள்;செவ்வாய்;புதன்;வியாழன்;வெள்ளி;சனி
    w ஞாயி.;திங்.;செவ்.;புத.;வியா.;வெள்.;சனி
    M ஜனவரி;பிப்ரவரி;மார்ச்;ஏப்ரல்;மே;ஜூன்;ஜூலை;ஆகஸ்ட்;செப்டம்பர்;அக்டோபர்;நவம்பர்;டிசம்பர்
    m ஜன.;பிப்.;மார்.;ஏப்.;மே;ஜூன்;ஜூலை;ஆக.;செப்.;அக்.;நவ.;டிச.
    p மு.ப;பி.ப
    d MMMM d, EEEE
    0 ௦௧௨௩௪௫௬௭௮௯
    x அஆஇஈஉஊஎஏஐஒஓஔஃகஙசஞடணதநபமயரலவழளறனஜஷஸஹ
    #te
    n Telugu;తెలుగు
    r IN
    W ఆదివారం;సోమవారం;మంగళవారం;బుధవారం;గురువారం;శుక్రవారం;శనివారం
    w ఆది;సోమ;మంగళ;బుధ;గురు;శుక్ర;శని
    M జనవరి;ఫిబ్రవరి;మార్చి;ఏప్రిల్;మే;జూన్;జులై;ఆగస్టు;సెప్టెంబర్;అక్టోబర్;నవంబర్;డిసెంబర్
    m జన;ఫిబ్ర;మార్చి;ఏప్రి;మే;జూన్;జులై;ఆగ;సెప్టెం;అక్టో;నవం;డిసెం
    d d MMMM, EEEE
    0 ౦౧౨౩౪౫౬౭౮౯
    x అఆఇఈఉఊఋౠఌౡఎఏఐఒఓఔకఖగఘఙచఛజఝఞటఠడఢణతథదధనపఫబభమయరఱలవశషసహళ
    #th
    n Thai;ไทย
    r TH
    W วันอาทิตย์;วันจันทร์;วันอังคาร;วันพุธ;วันพฤหัสบดี;วันศุกร์;วันเสาร์
    w อา.;จ.;อ.;พ.;พฤ.;ศ.;ส.
    M มกราคม;กุมภาพันธ์;มีนาคม;เมษายน;พฤษภาคม;มิถุนายน;กรกฎาคม;สิงหาคม;กันยายน;ตุลาคม;พฤศจิกายน;ธันวาคม
    m ม.ค.;ก.พ.;มี.ค.;เม.ย.;พ.ค.;มิ.ย.;ก.ค.;ส.ค.;ก.ย.;ต.ค.;พ.ย.;ธ.ค.
    p ก่อนเที่ยง;หลังเที่ยง
    d EEEEที่ d MMMM
    0 ๐๑๒๓๔๕๖๗๘๙
    x ฯกขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮะาๅเแโใไ
    #tr
    n Turkish;Türkçe
    r TR
    W Pazar;Pazartesi;Salı;Çarşamba;Perşembe;Cuma;Cumartesi
    w Paz;Pzt;Sal;Çar;Per;Cum;Cmt
    M Ocak;Şubat;Mart;Nisan;Mayıs;Haziran;Temmuz;Ağustos;Eylül;Ekim;Kasım;Aralık
    m Oca;Şub;Mar;Nis;May;Haz;Tem;Ağu;Eyl;Eki;Kas;Ara
    p ÖÖ;ÖS
    d d MMMM EEEE
    x çğıİöşü
    #uk
    n Ukrainian;українська
    r UA
    W неділя;понеділок;вівторок;середа;четвер;пʼятниця;субота
    w нд;пн;вт;ср;чт;пт;сб
    M січня;лютого;березня;квітня;травня;червня;липня;серпня;вересня;жовтня;листопада;грудня
    m січ.;лют.;бер.;квіт.;трав.;черв.;лип.;серп.;вер.;жовт.;лист.;груд.
    L січень;лютий;березень;квітень;травень;червень;липень;серпень;вересень;жовтень;листопад;грудень
    l січ;лют;бер;кві;тра;чер;лип;сер;вер;жов;лис;гру
    p дп;пп
    d EEEE, d MMMM
    t EcML
    x абвгґдеєжзиіїйклмнопрстуфхцчшщьюя
    #ur
    n Urdu;اردو
    r PK
    W اتوار;پیر;منگل;بدھ;جمعرات;جمعہ;ہفتہ
    w اتوار;پیر;منگل;بدھ;جمعرات;جمعہ;ہفتہ
    M جنوری;فروری;مارچ;اپریل;مئی;جون;جولائی;اگست;ستمبر;اکتوبر;نومبر;دسمبر
    m جنوری;فروری;مارچ;اپریل;مئی;جون;جولائی;اگست;ستمبر;اکتوبر;نومبر;دسمبر
    d EEEE، d MMMM
    0 ۰۱۲۳۴۵۶۷۸۹
    o r
    x ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنوہھءیے
    #uz
    n Uzbek;o‘zbek
    r UZ
    W yakshanba;dushanba;seshanba;chorshanba;payshanba;juma;shanba
    w Yak;Dush;Sesh;Chor;Pay;Jum;Shan
    M yanvar;fevral;mart;aprel;may;iyun;iyul;avgust;sentabr;oktabr;noyabr;dekabr
    m yan;fev;mar;apr;may;iyn;iyl;avg;sen;okt;noy;dek
    L Yanvar;Fevral;Mart;Aprel;May;Iyun;Iyul;Avgust;Sentabr;Oktabr;Noyabr;Dekabr
    l Yan;Fev;Mar;Apr;May;Iyn;Iyl;Avg;Sen;Okt;Noy;Dek
    p TO;TK
    d EEEE, d-MMMM
    #uz-Cyrl
    W якшанба;душанба;сешанба;чоршанба;пайшанба;жума;шанба
    w якш;душ;сеш;чор;пай;жум;шан
    M январ;феврал;март;апрел;май;июн;июл;август;сентябр;октябр;ноябр;декабр
    m янв;фев;мар;апр;май;июн;июл;авг;сен;окт;ноя;дек
    L январ;феврал;март;апрел;май;июн;июл;август;сентябр;октябр;ноябр;декабр
    l янв;фев;мар;апр;май;июн;июл;авг;сен;окт;ноя;дек
    p ТО;ТК
    d EEEE, d MMMM
    x абвгғдеёжзийкқлмнопрстуўфхҳчшъэюя
    #vi
    n Vietnamese;Tiếng Việt
    r VN
    W Chủ Nhật;Thứ Hai;Thứ Ba;Thứ Tư;Thứ Năm;Thứ Sáu;Thứ Bảy
    w CN;Th 2;Th 3;Th 4;Th 5;Th 6;Th 7
    M tháng 1;tháng 2;tháng 3;tháng 4;tháng 5;tháng 6;tháng 7;tháng 8;tháng 9;tháng 10;tháng 11;tháng 12
    m thg 1;thg 2;thg 3;thg 4;thg 5;thg 6;thg 7;thg 8;thg 9;thg 10;thg 11;thg 12
    L Tháng 1;Tháng 2;Tháng 3;Tháng 4;Tháng 5;Tháng 6;Tháng 7;Tháng 8;Tháng 9;Tháng 10;Tháng 11;Tháng 12
    l Thg 1;Thg 2;Thg 3;Thg 4;Thg 5;Thg 6;Thg 7;Thg 8;Thg 9;Thg 10;Thg 11;Thg 12
    p SA;CH
    d EEEE, d MMMM
    x àảãáạăằẳẵắặâầẩẫấậđèẻẽéẹêềểễếệìỉĩíịòỏõóọôồổỗốộơờởỡớợùủũúụưừửữứựỳỷỹýỵ
    #zh
    n Chinese;中文
    r CN
    W 星期日;星期一;星期二;星期三;星期四;星期五;星期六
    w 周日;周一;周二;周三;周四;周五;周六
    M 一月;二月;三月;四月;五月;六月;七月;八月;九月;十月;十一月;十二月
    m 1月;2月;3月;4月;5月;6月;7月;8月;9月;10月;11月;12月
    p 上午;下午
    d M月d日EEEE
    0 〇一二三四五六七八九
    #zh-Hant
    w 週日;週一;週二;週三;週四;週五;週六
    M 1月;2月;3月;4月;5月;6月;7月;8月;9月;10月;11月;12月
    d M月d日 EEEE
    #zh-Hant-HK zh-Hant-MO
    d M月d日EEEE
    #zu
    n Zulu;isiZulu
    r ZA
    W ISonto;UMsombuluko;ULwesibili;ULwesithathu;ULwesine;ULwesihlanu;UMgqibelo
    w Son;Mso;Bil;Tha;Sin;Hla;Mgq
    M Januwari;Februwari;Mashi;Ephreli;Meyi;Juni;Julayi;Agasti;Septhemba;Okthoba;Novemba;Disemba
    m Jan;Feb;Mas;Eph;Mey;Jun;Jul;Aga;Sep;Okt;Nov;Dis
    d EEEE, MMMM d
    """
  }
}
