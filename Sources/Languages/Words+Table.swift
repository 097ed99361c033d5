// swift-format-ignore-file
// SPDX-License-Identifier: Apache-2.0

extension Words {
  /// The languages of the table's columns.
  package static var languages: [String] { ["en", "de", "fr", "es", "it", "pt", "pt-PT", "nl", "pl", "tr", "ja"] }

  /// A line for each word, with a column for each language. An empty column is that of the language without a
  /// region.
  static var table: StaticString {
    """
    home | HOME | HEIM | LOCAUX | LOCAL | CASA | CASA | | THUIS | GOSPODARZE | EV SAHİBİ | ホーム
    guest | GUEST | GAST | VISITEURS | VISITANTE | OSPITI | VISITANTE | | GASTEN | GOŚCIE | KONUK | ビジター
    period | PERIOD | PERIODE | PÉRIODE | PERIODO | PERIODO | PERÍODO | | PERIODE | CZĘŚĆ | PERİYOT | ピリオド
    periods | PERIODS | PERIODEN | PÉRIODES | PERIODOS | PERIODI | PERÍODOS | | PERIODEN | CZĘŚCI | PERİYOT | ピリオド
    quarter | QUARTER | VIERTEL | QUART-TEMPS | CUARTO | QUARTO | QUARTO | PERÍODO | KWART | KWARTA | ÇEYREK | クォーター
    quarters | QUARTERS | VIERTEL | QUART-TEMPS | CUARTOS | QUARTI | QUARTOS | PERÍODOS | KWARTEN | KWARTY | ÇEYREK | クォーター
    half | HALF | HALBZEIT | MI-TEMPS | TIEMPO | TEMPO | TEMPO | PARTE | HELFT | POŁOWA | DEVRE | 前半/後半
    halves | HALVES | HALBZEITEN | MI-TEMPS | TIEMPOS | TEMPI | TEMPOS | PARTES | HELFTEN | POŁOWY | DEVRE | ハーフ
    third | PERIOD | DRITTEL | TIERS-TEMPS | PERIODO | TEMPO | PERÍODO | | PERIODE | TERCJA | PERİYOT | ピリオド
    thirds | PERIODS | DRITTEL | TIERS-TEMPS | PERIODOS | TEMPI | PERÍODOS | | PERIODEN | TERCJE | PERİYOT | ピリオド
    set | SET | SATZ | SET | SET | SET | SET | | SET | SET | SET | セット
    sets | SETS | SÄTZE | SETS | SETS | SET | SETS | | SETS | SETY | SET | セット
    leg | LEG | LEG | LEG | LEG | LEG | LEG | | LEG | LEG | LEG | レッグ
    legs | LEGS | LEGS | LEGS | LEGS | LEG | LEGS | | LEGS | LEGI | LEG | レッグ
    game | GAME | SPIEL | JEU | JUEGO | GAME | GAME | JOGO | GAME | GEM | OYUN | ゲーム
    games | GAMES | SPIELE | JEUX | JUEGOS | GAME | GAMES | JOGOS | GAMES | GEMY | OYUN | ゲーム
    badminton-game | GAME | SATZ | SET | JUEGO | GAME | GAME | JOGO | GAME | SET | SET | ゲーム
    badminton-games | GAMES | SÄTZE | SETS | JUEGOS | GAME | GAMES | JOGOS | GAMES | SETY | SET | ゲーム
    set-point | SET POINT | SATZBALL | BALLE DE SET | PUNTO DE SET | SET POINT | SET POINT | | SETPOINT | PIŁKA SETOWA | SET SAYISI | セットポイント
    match-point | MATCH POINT | MATCHBALL | BALLE DE MATCH | PUNTO DE PARTIDO | MATCH POINT | MATCH POINT | | MATCHPOINT | PIŁKA MECZOWA | MAÇ SAYISI | マッチポイント
    badminton-game-point | GAME POINT | SATZBALL | VOLANT DE SET | PUNTO DE JUEGO | GAME POINT | GAME POINT | PONTO DE JOGO | GAMEPOINT | LOTKA SETOWA | SET SAYISI | ゲームポイント
    badminton-match-point | MATCH POINT | MATCHBALL | VOLANT DE MATCH | PUNTO DE PARTIDO | MATCH POINT | MATCH POINT | | MATCHPOINT | LOTKA MECZOWA | MAÇ SAYISI | マッチポイント
    overtime | OVERTIME | VERLÄNGERUNG | PROLONGATION | PRÓRROGA | SUPPLEMENTARE | PRORROGAÇÃO | PROLONGAMENTO | VERLENGING | DOGRYWKA | UZATMA | 延長
    overtime-short | OT | VERL. | PROL. | PRÓR. | SUPPL. | PRORR. | PROL. | VERL. | DOGR. | UZ. | 延長
    extra-time | EXTRA TIME | VERLÄNGERUNG | PROLONGATION | PRÓRROGA | SUPPLEMENTARE | PRORROGAÇÃO | PROLONGAMENTO | VERLENGING | DOGRYWKA | UZATMA | 延長
    extra-time-short | ET | VERL. | PROL. | PRÓR. | SUPPL. | PRORR. | PROL. | VERL. | DOGR. | UZ. | 延長
    numbered | {name} {number} | {number}. {name} | {name} {number} | {name} {number} | {name} {number} | {name} {number} | | {name} {number} | {number}. {name} | {number}. {name} | 第{number}{name}
    fouls | FOULS | FOULS | FAUTES | FALTAS | FALLI | FALTAS | | FOUTEN | FAULE | FAUL | ファウル
    time-outs | TIME-OUTS | AUSZEITEN | TEMPS MORTS | TIEMPOS MUERTOS | TIME-OUT | TEMPOS | DESCONTOS DE TEMPO | TIME-OUTS | CZASY | MOLA | タイムアウト
    substitutions | SUBSTITUTIONS | WECHSEL | REMPLACEMENTS | CAMBIOS | CAMBI | SUBSTITUIÇÕES | | WISSELS | ZMIANY | DEĞİŞİKLİK | 選手交代
    yellow-cards | YELLOW CARDS | GELBE KARTEN | CARTONS JAUNES | TARJETAS AMARILLAS | CARTELLINI GIALLI | CARTÕES AMARELOS | | GELE KAARTEN | ŻÓŁTE KARTKI | SARI KART | イエローカード
    red-cards | RED CARDS | ROTE KARTEN | CARTONS ROUGES | TARJETAS ROJAS | CARTELLINI ROSSI | CARTÕES VERMELHOS | | RODE KAARTEN | CZERWONE KARTKI | KIRMIZI KART | レッドカード
    penalties | PENALTIES | STRAFEN | PÉNALITÉS | PENALIZACIONES | PENALITÀ | PENALIDADES | | STRAFFEN | KARY | CEZALAR | ペナルティ
    suspensions | PENALTIES | ZEITSTRAFEN | EXCLUSIONS | EXCLUSIONES | ESCLUSIONI | EXCLUSÕES | | TIJDSTRAFFEN | KARY | CEZALAR | 退場
    final | FINAL SCORE | ENDSTAND | SCORE FINAL | RESULTADO FINAL | RISULTATO FINALE | RESULTADO FINAL | | EINDSTAND | WYNIK KOŃCOWY | MAÇ SONUCU | 試合終了
    points | POINTS | PUNKTE | POINTS | PUNTOS | PUNTI | PONTOS | | PUNTEN | PUNKTY | SAYI | ポイント
    tie-break | TIE-BREAK | TIEBREAK | JEU DÉCISIF | TIE-BREAK | TIE-BREAK | TIE-BREAK | | TIEBREAK | TIE-BREAK | TIE-BREAK | タイブレーク
    advantage | AD | AD | AV | AD | AD | AD | | AD | AD | AV | AD
    shot-clock | SHOT CLOCK | WURFUHR | CHRONO DE TIR | RELOJ DE TIRO | TEMPO DI TIRO | TEMPO DE POSSE | TEMPO DE ATAQUE | SCHOTKLOK | CZAS AKCJI | HÜCUM SÜRESİ | ショットクロック
    time-out | TIME-OUT | AUSZEIT | TEMPS MORT | TIEMPO MUERTO | TIME-OUT | TEMPO | DESCONTO DE TEMPO | TIME-OUT | CZAS | MOLA | タイムアウト
    interval | INTERVAL | PAUSE | PAUSE | DESCANSO | INTERVALLO | INTERVALO | | PAUZE | PRZERWA | ARA | インターバル
    half-time | HALF-TIME | HALBZEIT | MI-TEMPS | DESCANSO | INTERVALLO | INTERVALO | | RUST | PRZERWA | DEVRE ARASI | ハーフタイム
    warm-up | WARM-UP | AUFWÄRMEN | ÉCHAUFFEMENT | CALENTAMIENTO | RISCALDAMENTO | AQUECIMENTO | | WARMING-UP | ROZGRZEWKA | ISINMA | ウォームアップ
    days | DAYS | TAGE | JOURS | DÍAS | GIORNI | DIAS | | DAGEN | DNI | GÜN | 日
    hours | HOURS | STUNDEN | HEURES | HORAS | ORE | HORAS | | UREN | GODZINY | SAAT | 時間
    minutes | MINUTES | MINUTEN | MINUTES | MINUTOS | MINUTI | MINUTOS | | MINUTEN | MINUTY | DAKİKA | 分
    seconds | SECONDS | SEKUNDEN | SECONDES | SEGUNDOS | SECONDI | SEGUNDOS | | SECONDEN | SEKUNDY | SANİYE | 秒
    keep-score | KEEP THE SCORE | SPIELSTAND FÜHREN | TENIR LE SCORE | LLEVAR EL MARCADOR | SEGNARE I PUNTI | MARCAR O PLACAR | MARCAR OS PONTOS | DE STAND BIJHOUDEN | PROWADŹ WYNIK | SKORU TUT | スコアをつける
    watch-score | FOLLOW THE SCORE | SPIELSTAND VERFOLGEN | SUIVRE LE SCORE | SEGUIR EL MARCADOR | SEGUI IL PUNTEGGIO | ACOMPANHAR O PLACAR | ACOMPANHAR O MARCADOR | DE STAND VOLGEN | ŚLEDŹ WYNIK | SKORU İZLE | スコアを見る
    set-up | SET ME UP | RICHTE MICH EIN | CONFIGUREZ-MOI | CONFIGÚRAME | CONFIGURAMI | CONFIGURE-ME | | STEL MIJ IN | SKONFIGURUJ MNIE | BENİ AYARLAYIN | セットアップ
    scan | Scan with a phone, or open this address and enter the code | Mit dem Handy scannen oder diese Adresse öffnen und den Code eingeben | Scannez avec un téléphone, ou ouvrez cette adresse et saisissez le code | Escanea con el móvil, o abre esta dirección y escribe el código | Inquadra con il telefono, o apri questo indirizzo e inserisci il codice | Escaneie com o celular, ou abra este endereço e digite o código | Leia com o telemóvel, ou abra este endereço e introduza o código | Scan met een telefoon, of open dit adres en voer de code in | Zeskanuj telefonem albo otwórz ten adres i wpisz kod | Telefonla tarayın ya da bu adresi açıp kodu girin | スマートフォンで読み取るか、このアドレスを開いてコードを入力
    join-wifi | JOIN THIS WI-FI | MIT DIESEM WLAN VERBINDEN | REJOIGNEZ CE WI-FI | CONÉCTATE A ESTA WIFI | CONNETTITI A QUESTO WI-FI | CONECTE-SE A ESTE WI-FI | LIGUE-SE A ESTE WI-FI | VERBIND MET DEZE WIFI | POŁĄCZ SIĘ Z TYM WI-FI | BU WI-FI AĞINA BAĞLANIN | このWI-FIに接続
    password | PASSWORD | PASSWORT | MOT DE PASSE | CONTRASEÑA | PASSWORD | SENHA | PALAVRA-PASSE | WACHTWOORD | HASŁO | ŞİFRE | パスワード
    open-page | THEN OPEN THIS PAGE | DANN DIESE SEITE ÖFFNEN | PUIS OUVREZ CETTE PAGE | LUEGO ABRE ESTA PÁGINA | POI APRI QUESTA PAGINA | DEPOIS ABRA ESTA PÁGINA | | OPEN DAARNA DEZE PAGINA | POTEM OTWÓRZ TĘ STRONĘ | SONRA BU SAYFAYI AÇIN | 次にこのページを開く
    joining | CONNECTING | VERBINDE | CONNEXION | CONECTANDO | CONNESSIONE | CONECTANDO | A LIGAR | VERBINDEN | ŁĄCZENIE | BAĞLANIYOR | 接続しています
    joined | CONNECTED | VERBUNDEN | CONNECTÉ | CONECTADO | CONNESSO | CONECTADO | LIGADO | VERBONDEN | POŁĄCZONO | BAĞLANDI | 接続しました
    wrong-password | WRONG PASSWORD | FALSCHES PASSWORT | MOT DE PASSE INCORRECT | CONTRASEÑA INCORRECTA | PASSWORD ERRATA | SENHA INCORRETA | PALAVRA-PASSE ERRADA | VERKEERD WACHTWOORD | BŁĘDNE HASŁO | YANLIŞ ŞİFRE | パスワードが違います
    not-found | NETWORK NOT FOUND | NETZWERK NICHT GEFUNDEN | RÉSEAU INTROUVABLE | RED NO ENCONTRADA | RETE NON TROVATA | REDE NÃO ENCONTRADA | | NETWERK NIET GEVONDEN | NIE ZNALEZIONO SIECI | AĞ BULUNAMADI | ネットワークが見つかりません
    no-address | NO ADDRESS FROM THE NETWORK | KEINE ADRESSE VOM NETZWERK | AUCUNE ADRESSE DU RÉSEAU | LA RED NO HA DADO DIRECCIÓN | NESSUN INDIRIZZO DALLA RETE | A REDE NÃO DEU ENDEREÇO | | GEEN ADRES VAN HET NETWERK | SIEĆ NIE PRZYDZIELIŁA ADRESU | AĞ ADRES VERMEDİ | アドレスを取得できません
    not-joined | CONNECTION FAILED | VERBINDUNG FEHLGESCHLAGEN | ÉCHEC DE LA CONNEXION | CONEXIÓN FALLIDA | CONNESSIONE NON RIUSCITA | FALHA NA CONEXÃO | FALHA NA LIGAÇÃO | VERBINDING MISLUKT | POŁĄCZENIE NIEUDANE | BAĞLANTI KURULAMADI | 接続できませんでした
    lead-again | Other walls do not answer: points may be missing. Press again to lead. | Andere Anzeigen antworten nicht: Punkte fehlen vielleicht. Zum Führen noch mal. | Les autres afficheurs sont muets : points manquants ? Appuyez encore. | Los otros marcadores no responden: ¿faltan puntos? Pulsa otra vez para dirigir. | Gli altri tabelloni tacciono: punti mancanti? Premi di nuovo per guidare. | Os outros painéis não respondem: faltam pontos? Pressione de novo. | Os outros painéis não respondem: faltam pontos? Prima outra vez. | Andere borden zwijgen: punten ontbreken misschien. Nogmaals om te leiden. | Inne tablice milczą: może brakować punktów. Naciśnij ponownie. | Diğer tabelalar yanıtsız: sayı eksik olabilir. Yönetmek için yine basın. | ほかの表示が応答しません。得点が欠けるかもしれません。続けるにはもう一度押してください。
    """
  }
}
