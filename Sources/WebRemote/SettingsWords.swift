// swift-format-ignore-file
// SPDX-License-Identifier: Apache-2.0

extension PageWords {
  /// The texts of the settings page, with the columns of `table`. `set-KEY` names a key, `choice-VALUE` a
  /// value.
  static var settingsTable: StaticString {
    """
    settings | Settings | Einstellungen | Réglages | Ajustes | Impostazioni | Configurações | Definições | Instellingen | Ustawienia | Ayarlar | 設定
    back | Back to the match | Zurück zum Spiel | Retour au match | Volver al partido | Torna alla partita | Voltar à partida | Voltar ao jogo | Terug naar de wedstrijd | Wróć do meczu | Maça dön | 試合に戻る
    not-owner | Only the owner’s phone changes the settings. “flipclockctl remote owner” pairs one. | Nur das Telefon des Besitzers ändert Einstellungen. „flipclockctl remote owner“ koppelt eines. | Seul le téléphone du propriétaire modifie les réglages. « flipclockctl remote owner » en associe un. | Solo el teléfono del propietario cambia los ajustes. «flipclockctl remote owner» enlaza uno. | Solo il telefono del proprietario cambia le impostazioni. «flipclockctl remote owner» ne collega uno. | Só o celular do proprietário altera as configurações. “flipclockctl remote owner” conecta um. | Só o telemóvel do proprietário altera as definições. “flipclockctl remote owner” liga um. | Alleen de telefoon van de eigenaar wijzigt instellingen. ‘flipclockctl remote owner’ koppelt er een. | Ustawienia zmienia tylko telefon właściciela. „flipclockctl remote owner” łączy taki telefon. | Ayarları yalnızca sahibin telefonu değiştirir. “flipclockctl remote owner” bir telefon bağlar. | 設定を変更できるのは所有者の端末だけです。「flipclockctl remote owner」で登録します。
    was-saved | Saved. | Gespeichert. | Enregistré. | Guardado. | Salvato. | Salvo. | Guardado. | Opgeslagen. | Zapisano. | Kaydedildi. | 保存しました。
    not-saved | Not saved. | Nicht gespeichert. | Pas enregistré. | No guardado. | Non salvato. | Não salvo. | Não guardado. | Niet opgeslagen. | Nie zapisano. | Kaydedilmedi. | 保存されていません。
    changed-by-others | Changed elsewhere: {settings} | Anderswo geändert: {settings} | Modifié ailleurs : {settings} | Cambiado en otro lugar: {settings} | Modificato altrove: {settings} | Alterado em outro lugar: {settings} | Alterado noutro lugar: {settings} | Elders gewijzigd: {settings} | Zmieniono gdzie indziej: {settings} | Başka yerde değiştirildi: {settings} | ほかで変更されました: {settings}
    default | Default | Standard | Par défaut | Predeterminado | Predefinito | Padrão | Predefinição | Standaard | Domyślnie | Varsayılan | 標準
    in-config | Set in {place} | In {place} gesetzt | Défini dans {place} | Fijado en {place} | Impostato in {place} | Definido em {place} | | Ingesteld in {place} | Ustawione w {place} | {place} içinde ayarlı | {place}で設定
    section-game | Game | Spiel | Match | Juego | Gioco | Jogo | | Spel | Gra | Oyun | ゲーム
    section-teams | Teams | Teams | Équipes | Equipos | Squadre | Equipes | Equipas | Teams | Drużyny | Takımlar | チーム
    section-page | What the display shows | Was die Anzeige zeigt | Ce que montre l’afficheur | Qué muestra la pantalla | Che cosa mostra lo schermo | O que a tela mostra | O que o ecrã mostra | Wat het scherm toont | Co pokazuje ekran | Ekranda ne görünür | 表示内容
    section-look | Look | Aussehen | Apparence | Aspecto | Aspetto | Aparência | | Uiterlijk | Wygląd | Görünüm | 外観
    section-time | Language and time | Sprache und Zeit | Langue et heure | Idioma y hora | Lingua e ora | Idioma e hora | | Taal en tijd | Język i czas | Dil ve saat | 言語と時刻
    section-display | Display | Anzeige | Afficheur | Pantalla | Schermo | Tela | Ecrã | Scherm | Ekran | Ekran | 画面
    section-phones | Phones and programs | Telefone und Programme | Téléphones et programmes | Teléfonos y programas | Telefoni e programmi | Celulares e programas | Telemóveis e programas | Telefoons en programma’s | Telefony i programy | Telefonlar ve programlar | 端末とプログラム
    role-owner | Owner | Besitzer | Propriétaire | Propietario | Proprietario | Proprietário | | Eigenaar | Właściciel | Sahip | 所有者
    role-scorer | Keeps the score | Führt den Spielstand | Tient le score | Lleva el marcador | Segna i punti | Marca o placar | Marca o resultado | Houdt de stand bij | Prowadzi wynik | Skoru tutar | 得点係
    role-viewer | Only watches | Sieht nur zu | Regarde seulement | Solo mira | Guarda soltanto | Só assiste | | Kijkt alleen | Tylko ogląda | Yalnızca izler | 観戦のみ
    role-board | Sets texts | Setzt Texte | Affiche des textes | Pone textos | Scrive testi | Escreve textos | | Zet teksten | Ustawia teksty | Metin yazar | テキスト表示
    program | Program | Programm | Programme | Programa | Programma | Programa | | Programma | Program | Program | プログラム
    this-phone | This phone | Dieses Telefon | Ce téléphone | Este teléfono | Questo telefono | Este celular | Este telemóvel | Deze telefoon | Ten telefon | Bu telefon | この端末
    connected | Connected | Verbunden | Connecté | Conectado | Connesso | Conectado | Ligado | Verbonden | Połączony | Bağlı | 接続中
    last-used | Last used {time} | Zuletzt {time} | Dernière utilisation : {time} | Último uso: {time} | Ultimo uso: {time} | Último uso: {time} | Última utilização: {time} | Laatst gebruikt {time} | Ostatnio {time} | Son kullanım: {time} | 最終使用: {time}
    forget | Forget | Vergessen | Oublier | Olvidar | Dimentica | Esquecer | | Vergeten | Zapomnij | Unut | 解除
    forget-other | It can then do nothing here until it is paired again. | Danach kann es hier nichts mehr tun, bis es neu gekoppelt wird. | Il ne pourra plus rien faire ici avant d’être associé de nouveau. | Después no podrá hacer nada aquí hasta que se enlace de nuevo. | Poi qui non potrà fare nulla finché non viene collegato di nuovo. | Depois ele não poderá fazer nada aqui até ser conectado de novo. | Depois não poderá fazer nada aqui até ser ligado de novo. | Daarna kan deze hier niets meer tot hij opnieuw gekoppeld wordt. | Potem nic tu nie zrobi, dopóki nie zostanie znów połączony. | Yeniden bağlanana kadar burada hiçbir şey yapamaz. | 再登録するまで、この端末からは操作できなくなります。
    forget-self | This is the phone in your hand. It can then no longer change settings. | Das ist das Telefon in Ihrer Hand. Danach kann es keine Einstellungen mehr ändern. | C’est le téléphone que vous tenez. Il ne pourra plus modifier les réglages. | Es el teléfono que tienes en la mano. Después ya no podrá cambiar los ajustes. | È il telefono che hai in mano. Poi non potrà più cambiare le impostazioni. | É o celular na sua mão. Depois ele não poderá mais alterar as configurações. | É o telemóvel na sua mão. Depois já não poderá alterar as definições. | Dit is de telefoon in je hand. Die kan daarna geen instellingen meer wijzigen. | To telefon w Twojej ręce. Potem nie zmieni już ustawień. | Bu, elinizdeki telefon. Artık ayarları değiştiremez. | お手元の端末です。以後、設定を変更できなくなります。
    forget-program | Its token is then no longer valid. | Sein Token gilt danach nicht mehr. | Son jeton ne sera plus valable. | Su token dejará de ser válido. | Il suo token non sarà più valido. | O token dele deixará de valer. | O token dele deixará de ser válido. | Het token is daarna niet meer geldig. | Jego token straci ważność. | Belirteci artık geçmez. | このトークンは無効になります。
    forgotten | Forgotten: {name} | Vergessen: {name} | Oublié : {name} | Olvidado: {name} | Dimenticato: {name} | Esquecido: {name} | | Vergeten: {name} | Zapomniano: {name} | Unutuldu: {name} | 解除しました: {name}
    pair-another | Pair another phone | Weiteres Telefon koppeln | Associer un autre téléphone | Enlazar otro teléfono | Collega un altro telefono | Conectar outro celular | Ligar outro telemóvel | Nog een telefoon koppelen | Połącz inny telefon | Başka telefon bağla | 別の端末を登録
    pair-look | The display shows the code for the other phone. | Die Anzeige zeigt den Code für das andere Telefon. | L’afficheur montre le code pour l’autre téléphone. | La pantalla muestra el código para el otro teléfono. | Lo schermo mostra il codice per l’altro telefono. | A tela mostra o código para o outro celular. | O ecrã mostra o código para o outro telemóvel. | Het scherm toont de code voor de andere telefoon. | Ekran pokazuje kod dla drugiego telefonu. | Ekranda öbür telefon için kod görünüyor. | 画面に別の端末用のコードが表示されています。
    section-file | Copy of the settings | Kopie der Einstellungen | Copie des réglages | Copia de los ajustes | Copia delle impostazioni | Cópia das configurações | Cópia das definições | Kopie van de instellingen | Kopia ustawień | Ayarların kopyası | 設定の控え
    download | Download | Herunterladen | Télécharger | Descargar | Scarica | Baixar | Transferir | Downloaden | Pobierz | İndir | ダウンロード
    upload | Use a copy | Kopie verwenden | Utiliser une copie | Usar una copia | Usa una copia | Usar uma cópia | | Kopie gebruiken | Użyj kopii | Kopyayı kullan | 控えを使う
    more-rules | More rules | Weitere Regeln | Autres règles | Más reglas | Altre regole | Mais regras | | Meer regels | Więcej zasad | Diğer kurallar | その他のルール
    set-game.preset | Sport | Sportart | Sport | Deporte | Sport | Esporte | Desporto | Sport | Sport | Spor | 競技
    set-game.periods | Periods or sets | Abschnitte oder Sätze | Périodes ou sets | Periodos o sets | Periodi o set | Períodos ou sets | | Perioden of sets | Części lub sety | Devre veya set | ピリオド・セット数
    set-game.periods-to-win | Sets to win | Gewinnsätze | Sets gagnants | Sets para ganar | Set per vincere | Sets para vencer | | Te winnen sets | Wygrane sety | Kazanmak için set | 勝利に必要なセット数
    set-game.points-to-win | Points of a set | Punkte eines Satzes | Points d’un set | Puntos de un set | Punti di un set | Pontos de um set | | Punten van een set | Punkty seta | Bir setin sayısı | セットの得点
    set-game.clock-length | Length of a period | Länge eines Abschnitts | Durée d’une période | Duración de un periodo | Durata di un periodo | Duração de um período | | Duur van een periode | Czas części | Devre süresi | ピリオドの長さ
    set-game.overtime-length | Length of the overtime | Länge der Verlängerung | Durée de la prolongation | Duración de la prórroga | Durata dei supplementari | Duração da prorrogação | Duração do prolongamento | Duur van de verlenging | Czas dogrywki | Uzatma süresi | 延長の長さ
    set-game.shot-clock | Shot clock | Wurfuhr | Horloge des tirs | Reloj de posesión | Cronometro dei tiri | Relógio de posse | Relógio de lançamento | Schotklok | Zegar akcji | Hücum süresi | ショットクロック
    set-game.time-out-length | Length of a time-out | Länge einer Auszeit | Durée d’un temps mort | Duración de un tiempo muerto | Durata di un time-out | Duração de um tempo técnico | Duração de um desconto de tempo | Duur van een time-out | Czas przerwy na żądanie | Mola süresi | タイムアウトの長さ
    set-game.half-time | Half-time | Halbzeitpause | Mi-temps | Descanso | Intervallo lungo | Intervalo | | Rust | Przerwa w połowie | Devre arası | ハーフタイム
    choice-free | Free | Frei | Libre | Libre | Libero | Livre | | Vrij | Dowolna | Serbest | 自由
    choice-basketball | Basketball | Basketball | Basket | Baloncesto | Basket | Basquete | Basquetebol | Basketbal | Koszykówka | Basketbol | バスケットボール
    choice-volleyball | Volleyball | Volleyball | Volley | Voleibol | Pallavolo | Vôlei | Voleibol | Volleybal | Siatkówka | Voleybol | バレーボール
    choice-table-tennis | Table tennis | Tischtennis | Tennis de table | Tenis de mesa | Tennistavolo | Tênis de mesa | Ténis de mesa | Tafeltennis | Tenis stołowy | Masa tenisi | 卓球
    choice-football | Football | Fußball | Football | Fútbol | Calcio | Futebol | | Voetbal | Piłka nożna | Futbol | サッカー
    choice-darts | Darts | Darts | Fléchettes | Dardos | Freccette | Dardos | | Darts | Dart | Dart | ダーツ
    choice-tennis | Tennis | Tennis | Tennis | Tenis | Tennis | Tênis | Ténis | Tennis | Tenis | Tenis | テニス
    choice-handball | Handball | Handball | Handball | Balonmano | Pallamano | Handebol | Andebol | Handbal | Piłka ręczna | Hentbol | ハンドボール
    choice-ice-hockey | Ice hockey | Eishockey | Hockey sur glace | Hockey sobre hielo | Hockey su ghiaccio | Hóquei no gelo | | IJshockey | Hokej na lodzie | Buz hokeyi | アイスホッケー
    choice-badminton | Badminton | Badminton | Badminton | Bádminton | Badminton | Badminton | | Badminton | Badminton | Badminton | バドミントン
    set-theme.name | Theme | Thema | Thème | Tema | Tema | Tema | | Thema | Motyw | Tema | テーマ
    set-locale.language | Language | Sprache | Langue | Idioma | Lingua | Idioma | | Taal | Język | Dil | 言語
    set-locale.zone | Time zone | Zeitzone | Fuseau horaire | Zona horaria | Fuso orario | Fuso horário | | Tijdzone | Strefa czasowa | Saat dilimi | タイムゾーン
    set-widgets.time.hours | Hours | Stunden | Heures | Horas | Ore | Horas | | Uren | Godziny | Saat düzeni | 時間表示
    choice-12 | 12 | 12 | 12 | 12 | 12 | 12 | | 12 | 12 | 12 | 12
    choice-24 | 24 | 24 | 24 | 24 | 24 | 24 | | 24 | 24 | 24 | 24
    choice-auto | As usual in the language | Wie in der Sprache üblich | Selon la langue | Según el idioma | Secondo la lingua | Conforme o idioma | | Zoals gebruikelijk in de taal | Zgodnie z językiem | Dile göre | 言語に従う
    set-widgets.time.seconds | Seconds | Sekunden | Secondes | Segundos | Secondi | Segundos | | Seconden | Sekundy | Saniye | 秒
    set-display.brightness | Brightness | Helligkeit | Luminosité | Brillo | Luminosità | Brilho | | Helderheid | Jasność | Parlaklık | 明るさ
    set-display.rotation | Rotation | Drehung | Rotation | Rotación | Rotazione | Rotação | | Draaiing | Obrót | Döndürme | 回転
    set-display.margins | Margin for a TV that cuts its edges off | Rand für einen Fernseher, der die Ränder abschneidet | Marge pour un téléviseur qui rogne les bords | Margen para un televisor que recorta los bordes | Margine per un televisore che taglia i bordi | Margem para uma TV que corta as bordas | Margem para uma TV que corta as margens | Marge voor een tv die de randen afsnijdt | Margines dla telewizora, który obcina brzegi | Kenarları kesen televizyon için boşluk | 端が切れるテレビ用の余白
    set-schedule.night.from | Night from | Nacht ab | Nuit à partir de | Noche desde | Notte dalle | Noite a partir de | | Nacht vanaf | Noc od | Gece başlangıcı | 夜の開始
    set-schedule.night.to | Night to | Nacht bis | Nuit jusqu’à | Noche hasta | Notte fino alle | Noite até | | Nacht tot | Noc do | Gece bitişi | 夜の終了
    set-schedule.night.brightness | Brightness at night | Helligkeit in der Nacht | Luminosité de nuit | Brillo de noche | Luminosità di notte | Brilho à noite | | Helderheid ’s nachts | Jasność w nocy | Gece parlaklığı | 夜の明るさ
    set-remote.name | Name of this display | Name dieser Anzeige | Nom de cet afficheur | Nombre de esta pantalla | Nome di questo schermo | Nome desta tela | Nome deste ecrã | Naam van dit scherm | Nazwa tego ekranu | Bu ekranın adı | この画面の名前
    theme-dark | Dark | Dunkel | Sombre | Oscuro | Scuro | Escuro | | Donker | Ciemny | Koyu | ダーク
    theme-paper | Paper | Papier | Papier | Papel | Carta | Papel | | Papier | Papier | Kâğıt | 紙
    theme-night | Night | Nacht | Nuit | Noche | Notte | Noite | | Nacht | Noc | Gece | 夜
    theme-amber | Amber | Bernstein | Ambre | Ámbar | Ambra | Âmbar | | Amber | Bursztyn | Kehribar | 琥珀
    theme-solari | Station | Bahnhof | Gare | Estación | Stazione | Estação | | Station | Dworzec | İstasyon | 駅
    theme-high-contrast | High contrast | Hoher Kontrast | Contraste élevé | Alto contraste | Alto contrasto | Alto contraste | | Hoog contrast | Wysoki kontrast | Yüksek karşıtlık | 高コントラスト
    phone-zone | Use this phone’s time zone | Zeitzone dieses Telefons | Fuseau de ce téléphone | Zona de este teléfono | Fuso di questo telefono | Fuso deste celular | Fuso deste telemóvel | Tijdzone van deze telefoon | Strefa tego telefonu | Bu telefonun saat dilimi | この端末のタイムゾーン
    layout-clock | Clock | Uhr | Horloge | Reloj | Orologio | Relógio | | Klok | Zegar | Saat | 時計
    layout-date | Clock and date | Uhr und Datum | Horloge et date | Reloj y fecha | Orologio e data | Relógio e data | | Klok en datum | Zegar i data | Saat ve tarih | 時計と日付
    layout-score | Scoreboard | Spielstand | Tableau de score | Marcador | Tabellone | Placar | Marcador | Scorebord | Tablica wyników | Skorbord | スコアボード
    layout-both | Clock and scores | Uhr und Spielstand | Horloge et score | Reloj y marcador | Orologio e punteggio | Relógio e placar | Relógio e marcador | Klok en score | Zegar i wynik | Saat ve skor | 時計と得点
    """
  }
}
